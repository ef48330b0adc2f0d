import { newId } from '@attractor/base/id';
import { openPlatform, unconfined } from '@attractor/platform';
import { appendEvents, openStore } from '@attractor/store';
import { expect, it } from 'vitest';
import { createApp } from './app.ts';
import { newFolder } from './test-support/real-world.ts';
import { TOKEN } from './test-support/serve.ts';

const SOAK = process.env['SOAK'] === '1';
const EVENTS = SOAK ? 5_000 : 1_000;
const TASKS = Array.from({ length: EVENTS / 40 }, () => newId('tsk'));
/** The whole log after an id is long: in `npm test` it is read after some of them, and each id for the task that it belongs to. */
const WHOLE_EVERY = SOAK ? 1 : 50;

async function fill(home: string, count: number, from: number): Promise<void> {
  const opened = await openStore({ home });
  if (!opened.ok) throw new Error(opened.error.message);
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'activity.logged' as const,
    summary: `line ${from + index}`,
    projectId: 'prj_1',
    taskId: TASKS[(from + index) % TASKS.length] ?? null,
    actor: { type: 'system', name: 'test' } as const,
  }));
  await opened.value.transact((tx) => appendEvents(tx, events));
  await opened.value.close();
}

async function serve(home: string) {
  const opened = await openPlatform({ home, agents: [], env: {}, confine: unconfined, concurrency: 0 });
  if (!opened.ok) throw new Error(opened.error.message);
  const app = createApp({ workflow: opened.value.workflow, token: TOKEN });
  const after = async (id: number, query = ''): Promise<string> => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'last-event-id': String(id) };
    const response = await app.fetch(new Request(`http://127.0.0.1/api/events${query}`, { headers }));
    return toCaughtUp(response);
  };
  return { after, close: opened.value.close, openStreams: app.openStreams };
}

/** What is sent until everything stored was; the frame that says so is left out. */
async function toCaughtUp({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let isAll = false;
  while (!isAll) {
    const { value = new Uint8Array(0) } = (await reader?.read()) ?? {};
    chunks.push(value);
    isAll = Buffer.from(value.buffer, value.byteOffset, value.length).includes('event: caught_up\n');
  }
  await reader?.cancel();
  const text = Buffer.concat(chunks).toString();
  return text.slice(text.indexOf('id: '), text.lastIndexOf('id: '));
}

const idsIn = (text: string) => Array.from(text.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id));

it(`resumes exactly after each of ${EVENTS} ids, of the whole log and of a task, also after a restart`, async () => {
  const home = newFolder();
  await fill(home, EVENTS, 1);
  const before = await serve(home);
  const whole = await before.after(0);
  const ids = idsIn(whole);
  expect(ids).toHaveLength(EVENTS);
  expect(await before.after(ids[EVENTS - 700] ?? 0)).toBe(whole.slice(whole.indexOf(`id: ${ids[EVENTS - 699]}\n`)));
  await before.close();

  await fill(home, 10, EVENTS + 1);
  const again = await serve(home);
  const added = (await again.after(ids.at(-1) ?? 0)).trimEnd();
  const all = [...ids, ...idsIn(added)];
  expect(all).toHaveLength(EVENTS + 10);
  const text = `${whole}${added}\n\n`;
  let place = 0;
  const wrong: number[] = [];
  for (const [index, id] of ids.entries()) {
    // The tasks take turns.
    const left = Math.floor((all.length - index - 1) / TASKS.length);
    const own = Array.from({ length: left }, (_, turn) => all[index + (turn + 1) * TASKS.length]);
    const given = idsIn(await again.after(id, `?taskId=${TASKS[(index + 1) % TASKS.length]}`));
    if (given.join() !== own.join()) wrong.push(id);
    if (index % WHOLE_EVERY !== 0) continue;
    place = text.indexOf(`id: ${all[index + 1]}\n`, place);
    if ((await again.after(id)) !== text.slice(place)) wrong.push(id);
  }
  expect(wrong).toEqual([]);
  expect(again.openStreams()).toBe(0);
  await again.close();
});
