/** Viewers of a stream, or callers of the board, in a process of their own. Prints `ready`, and at the end how long it took. */
import { Agent, get } from 'node:http';

const [what = 'viewers', url = '', token = '', first = '', second = '', third = ''] = process.argv.slice(2);
const FRAME = Buffer.from('event: event\n');
const headers = { authorization: `Bearer ${token}` };

if (what !== 'board') await view({ viewers: Number(first), frames: Number(second), step: Number(third) });
else await call(Number(first), Number(second));

type Viewing = { readonly viewers: number; readonly frames: number; readonly step: number };

/** From the first frame of the first viewer to the last frame of the last. Asks for `next` whenever all have `step` frames more. */
async function view({ viewers, frames, step }: Viewing): Promise<void> {
  const all = Promise.withResolvers<void>();
  let open = 0;
  let left = viewers * frames;
  let began = 0;
  const opened = Promise.withResolvers<void>();
  const count = (text: Buffer): void => {
    for (let at = text.indexOf(FRAME); at !== -1; at = text.indexOf(FRAME, at + FRAME.length)) {
      if (began === 0) began = performance.now();
      left -= 1;
      if (left > 0 && left % (viewers * step) === 0) console.log('next');
    }
    if (left <= 0) all.resolve();
  };
  const after = await endOfLog();
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    get(`${url}/api/events?after=${after}`, { headers, agent: false }, (response) => {
      response.once('data', () => {
        open += 1;
        if (open === viewers) opened.resolve();
      });
      response.on('data', count);
    });
  }
  await opened.promise;
  console.log('ready');
  await all.promise;
  finish(performance.now() - began, viewers * frames);
}

/** The bare server has no log. */
async function endOfLog(): Promise<number> {
  const response = await fetch(`${url}/api/events/page?from=newest&limit=1`, { headers });
  const events: unknown = response.ok ? await response.json() : [];
  const [last]: ReadonlyArray<{ readonly seq: number } | undefined> = Array.isArray(events) ? events : [];
  return last?.seq ?? 0;
}

/** `count` calls of the board on a few connections that are kept. */
async function call(connections: number, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const once = (): Promise<void> =>
    new Promise((resolve, reject) => {
      get(`${url}/api/views/task-list`, { headers, agent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response.on('data', () => undefined).once('end', resolve);
      }).once('error', reject);
    });
  const some = async (calls: number): Promise<void> => {
    let left = calls;
    const one = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await once();
      }
    };
    await Promise.all(Array.from({ length: connections }, one));
  };
  await some(count / 5);
  console.log('ready');
  const began = performance.now();
  await some(count);
  finish(performance.now() - began, count);
}

function finish(wallMs: number, count: number): void {
  console.log(JSON.stringify({ wallMs, perSecond: (count * 1000) / wallMs }));
  process.exit(0);
}
