import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ApiClient, createApiClient, emptyRunView, emptyTaskView, runView, taskView } from '@attractor/api';
import { EMPTY_TASK_LIST, type PlatformEvent, taskListView } from '@attractor/api';
import { EVENT_TYPES, type EventType, RUN_STEPS } from '@attractor/store/types';
import * as fc from 'fast-check';
import { checkAnswers } from './test-support/check-answers.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ComposedApp, composeApp } from './compose.ts';

const runs = (normal: number) => ({ numRuns: process.env['SOAK'] === '1' ? normal * 50 : normal });

let folder: string;
let composed: ComposedApp;
let client: ApiClient;
let database: DatabaseSync;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'attractor-log-'));
  const made = await composeApp({ home: folder, env: {}, llm: {}, concurrency: 0 });
  if (!made.ok) throw new Error(made.error.message);
  composed = made.value;
  const fetch = async (request: Request) => checkAnswers(composed.app).fetch(request);
  client = createApiClient({ baseUrl: 'http://127.0.0.1', token: composed.token, fetch });
  database = new DatabaseSync(join(folder, 'attractor.db'));
});

afterAll(async () => {
  database.close();
  await composed.close();
  rmSync(folder, { recursive: true, force: true });
});

type Written = { readonly type: string; readonly category: string; readonly data: Readonly<Record<string, unknown>> };

describe('the log from the database over the wire into a view', () => {
  it('keeps what an event of every known type carries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(knownEvent(), { minLength: 1, maxLength: 20 }), async (written) => {
        const { paged, streamed } = await throughAll(written);
        expect(streamed).toEqual(paged);
        expect(paged.map(({ type, category, data }) => ({ type, category, data }))).toEqual(written);
        foldAll(paged);
      }),
      runs(20),
    );
  });

  it('keeps what it does not know, as unknown, and passes over it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(strangeEvent(), { minLength: 1, maxLength: 20 }), async (written) => {
        const { paged, streamed } = await throughAll(written);
        expect(streamed).toEqual(paged);
        expect(paged.map(({ type, category, data }) => ({ type, category, data }))).toEqual(
          written.map(({ type, data }) => ({ type: 'unknown', category: 'unknown', data: { type, data } })),
        );
        const { task, runs: of, prompts } = foldAll(paged);
        expect([task, of, prompts]).toEqual([null, [], []]);
      }),
      runs(20),
    );
  });
});

/** As another program, or another version of this one, would have written them. */
async function throughAll(written: ReadonlyArray<Written>) {
  const after = Number(database.prepare('select coalesce(max(seq), 0) as seq from events').get()?.['seq']);
  const insert = database.prepare(`insert into events
    (id, at, project_id, task_id, run_id, key, category, type, level, summary, data, actor, actor_type)
    values (?, ?, 'prj_1', 'tsk_1', 'run_1', null, ?, ?, 'info', '', ?, '{"type":"system"}', 'system')`);
  for (const [index, { type, category, data }] of written.entries())
    insert.run(`evt_${after + index}`, new Date().toISOString(), category, type, JSON.stringify(data));
  const page = await client.events.page({ after, limit: 100 });
  const stream = await client.events.stream({ after });
  if (!page.ok || !stream.ok) throw new Error('the server does not answer');
  const streamed: PlatformEvent[] = [];
  for await (const frame of stream.value) {
    if (frame.kind === 'event') streamed.push(frame.event);
    if (frame.kind === 'caught_up') break;
  }
  return { paged: page.value, streamed };
}

function foldAll(events: ReadonlyArray<PlatformEvent>) {
  taskListView.foldAll(EMPTY_TASK_LIST, events);
  runView.foldAll(emptyRunView('run_1'), events);
  return taskView.foldAll(emptyTaskView('tsk_1'), events);
}

/** One record that is everything: whatever an event carries, it has the fields by which that is known. */
const THING: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(['title', 'name', 'path', 'label', 'text', 'description', 'question', 'answer'].map(asText)),
  ...Object.fromEntries(['questionId', 'toolCallId', 'pipelineId', 'key', 'command', 'code', 'mode'].map(asText)),
  id: 'tsk_1',
  taskId: 'tsk_1',
  projectId: 'prj_1',
  kind: 'text',
  type: 'question',
  status: 'pending',
  phase: 'base',
  startedAt: '2026-01-01T00:00:00.000Z',
  payload: {},
  transition: {},
  checks: [],
  tokenUsage: null,
  allowed: true,
  passed: true,
  blockedBy: [],
  number: 1,
  state: 'open',
  detail: null,
};

function asText(name: string): [string, string] {
  return [name, `its ${name}`];
}

const PLAIN: ReadonlyArray<unknown> = ['text', '', 7, 0.5, true, false, null, {}, [], ['a', 'b'], [{}]];
const CANDIDATES = [...PLAIN, THING, [THING], ...RUN_STEPS];

function knownEvent(): fc.Arbitrary<Written> {
  return fc.constantFrom(...eventTypes()).chain((type) => {
    const { category, data } = EVENT_TYPES[type];
    const names = Object.entries(data);
    const fields = names.map(([, field]) =>
      typeof field === 'function'
        ? fc.constantFrom(...CANDIDATES.filter((value) => field(value)))
        : fc.constantFrom(undefined, ...CANDIDATES.filter((value) => field.maybe(value))),
    );
    return fc.tuple(...fields).map((values) => ({
      type,
      category,
      data: Object.fromEntries(
        names.flatMap(([name], index) => (values[index] === undefined ? [] : [[name, values[index]]])),
      ),
    }));
  });
}

function eventTypes(): ReadonlyArray<EventType> {
  return Object.keys(EVENT_TYPES).filter((type): type is EventType => Object.hasOwn(EVENT_TYPES, type));
}

/** Of a type that nobody here has heard of, or of a known one whose data is not what it should be. */
function strangeEvent(): fc.Arbitrary<Written> {
  const data = fc.dictionary(
    fc.string().filter((name) => name !== '__proto__'),
    fc.jsonValue(),
  );
  const unheard = fc.record({ type: fc.constantFrom('moon.landed', 'task.teleported', 'toString'), data });
  const broken = fc.record({
    type: fc.constantFrom('task.created', 'agent.completed', 'prompt.created', 'agent.message', 'run.step_started'),
    data: fc.constantFrom({}, { task: 1, run: null, prompt: [], message: { kind: 'song' }, step: 'dance' }),
  });
  return fc.oneof(unheard, broken).map((event) => ({ ...event, category: 'astronomy' }));
}
