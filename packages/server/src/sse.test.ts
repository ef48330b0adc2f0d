import { connect } from 'node:net';
import { FRAME, type StreamFrame } from '@attractor/api';
import { afterEach, describe, expect, it } from 'vitest';
import { createStreams } from './sse.ts';
import { createMemoryWorkflow, newTask, type MemoryWorkflow } from './test-support/memory-workflow.ts';
import { serve, TOKEN, until, type Served } from './test-support/serve.ts';

const servers: Served[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close(100)));
});

async function start(workflow: MemoryWorkflow, options: Partial<Parameters<typeof serve>[0]> = {}, port = 0) {
  const server = await serve({ workflow, ...options }, port);
  servers.push(server);
  return server;
}

function note(workflow: MemoryWorkflow, number: number, taskId = 'tsk_1') {
  workflow.append({ type: 'note.added', summary: `note ${number}`, taskId, data: { number } });
}

/** Reads frames until `enough`, then hangs up. */
async function read(server: Served, query: object, enough: (frames: ReadonlyArray<StreamFrame>) => boolean) {
  const stop = new AbortController();
  let stream = await server.client.events.stream(query, stop.signal);
  // A kept connection to the server before a restart fails once, as in any client; the next try is fresh.
  for (let tries = 0; !stream.ok && stream.error.retryable && tries < 20; tries += 1)
    stream = await server.client.events.stream(query, stop.signal);
  if (!stream.ok) throw new Error(stream.error.message);
  const frames: StreamFrame[] = [];
  try {
    for await (const frame of stream.value) {
      frames.push(frame);
      if (enough(frames)) break;
    }
  } catch (error) {
    if (!stop.signal.aborted) frames.push({ kind: 'closing', seq: error instanceof Error ? -1 : -2 });
  }
  stop.abort();
  return frames;
}

const seqs = (frames: ReadonlyArray<StreamFrame>) =>
  frames.flatMap((frame) => (frame.kind === 'event' ? [frame.event.seq] : []));
const caughtUp = (frames: ReadonlyArray<StreamFrame>) => frames.at(-1)?.kind === 'caught_up';
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('the event stream', () => {
  it('resumes exactly over HTTP, also after a restart of the server', async () => {
    const workflow = await createMemoryWorkflow();
    for (const number of range(1, 240)) note(workflow, number);
    const resumeFrom = async (server: Served, places: ReadonlyArray<number>) => {
      const read10 = async (chunk: ReadonlyArray<number>) =>
        Promise.all(chunk.map(async (after) => [after, seqs(await read(server, { after }, caughtUp))]));
      for (let at = 0; at < places.length; at += 10)
        for (const [after, seen] of await read10(places.slice(at, at + 10)))
          expect(seen).toEqual(range(Number(after) + 1, 240));
    };
    const before = await start(workflow);
    await resumeFrom(before, [0, 1, 77, 120, 199, 200, 201]);
    const { port } = before;
    await before.close(100);
    const again = await start(await createMemoryWorkflow([...workflow.log]), {}, port);
    await resumeFrom(again, [0, 39, 40, 41, 121, 239, 240]);
  });

  it('takes the place from Last-Event-ID before the query', async () => {
    const workflow = await createMemoryWorkflow();
    for (const number of range(1, 5)) note(workflow, number);
    const server = await start(workflow);
    const headers = { authorization: `Bearer ${TOKEN}`, 'last-event-id': '4' };
    const response = await fetch(`${server.url}/api/events?after=1`, { headers });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body?.getReader();
    let text = '';
    while (!text.includes('caught_up')) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    expect(text.match(/^id: \d+$/gm)).toEqual(['id: 5', 'id: 5']);
    const wrong = await fetch(`${server.url}/api/events`, { headers: { ...headers, 'last-event-id': 'x' } });
    expect(wrong.status).toBe(400);
  });

  it('joins replay and live without a gap or a repeat while the log grows', async () => {
    const workflow = await createMemoryWorkflow();
    const server = await start(workflow);
    const total = 800;
    const writer = (async () => {
      for (const number of range(1, total)) {
        note(workflow, number);
        if (number % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const viewers = range(0, 9).map((viewer) =>
      read(server, { after: viewer * 10 }, (frames) => seqs(frames).at(-1) === total),
    );
    const results = await Promise.all(viewers);
    await writer;
    results.forEach((frames, viewer) => expect(seqs(frames)).toEqual(range(viewer * 10 + 1, total)));
  });

  it('tells only of the task that is asked for, and how far it has looked', async () => {
    const workflow = await createMemoryWorkflow();
    for (const number of range(1, 20)) note(workflow, number, number % 2 === 0 ? 'tsk_even' : 'tsk_odd');
    const server = await start(workflow);
    const frames = await read(server, { taskId: 'tsk_odd', after: 10 }, caughtUp);
    expect(seqs(frames)).toEqual([11, 13, 15, 17, 19]);
    expect(frames.at(-1)).toEqual({ kind: 'caught_up', seq: 20 });
  });

  it('tells only of the run, the project or the inbox that is asked for', async () => {
    const workflow = await createMemoryWorkflow();
    const places = [
      { projectId: 'prj_a', taskId: 'tsk_1', runId: 'run_1' },
      { projectId: 'prj_a', taskId: 'tsk_2', runId: 'run_2' },
      { projectId: 'prj_b', taskId: 'tsk_3', runId: 'run_3' },
    ];
    for (const type of ['note.added', 'run.started'] as const)
      for (const place of places) workflow.append({ type, summary: '', data: {}, ...place });
    const server = await start(workflow);
    const of = async (query: object) => seqs(await read(server, query, caughtUp));
    expect([await of({ runId: 'run_2' }), await of({ projectId: 'prj_a' }), await of({ only: 'inbox' })]).toEqual([
      [2, 5],
      [1, 2, 4, 5],
      [4, 5, 6],
    ]);
    expect(await of({ only: 'inbox', projectId: 'prj_b', after: 3 })).toEqual([6]);
  });

  it('leaves transcripts out for the list of tasks, but not what they cost', async () => {
    const workflow = await createMemoryWorkflow();
    const task = newTask({ id: 'tsk_1', title: 'T' });
    workflow.append({ type: 'task.created', summary: 'T', taskId: task.id, data: { task } });
    const message = (body: object) =>
      workflow.append({ type: 'agent.message', summary: '', taskId: task.id, runId: 'run_1', data: { message: body } });
    message({ key: 'a', kind: 'text', text: 'long' });
    message({ key: 'b', kind: 'usage', model: 'm', usage: {}, costUsd: 1 });
    const server = await start(workflow);
    expect(seqs(await read(server, { only: 'tasks' }, caughtUp))).toEqual([1, 3]);
  });

  it('fans live text out to who looks at its task, without an id', async () => {
    const workflow = await createMemoryWorkflow();
    note(workflow, 1);
    const server = await start(workflow);
    const reading = read(server, { taskId: 'tsk_1', after: 0 }, (frames) => frames.at(-1)?.kind === 'delta');
    await until(() => workflow.listeners() === 2, 'a viewer');
    workflow.tell({ taskId: 'tsk_2', runId: 'run_2', delta: { kind: 'text_delta', text: 'other' } });
    workflow.tell({ taskId: 'tsk_1', runId: 'run_1', delta: { kind: 'text_delta', text: 'mine' } });
    const deltas = (await reading).filter((frame) => frame.kind === 'delta');
    expect(deltas).toEqual([
      { kind: 'delta', delta: { taskId: 'tsk_1', runId: 'run_1', delta: { kind: 'text_delta', text: 'mine' } } },
    ]);
  });

  it('forgets viewers that left', async () => {
    const workflow = await createMemoryWorkflow();
    const server = await start(workflow);
    await Promise.all(range(1, 20).map(() => read(server, {}, caughtUp)));
    await until(() => server.app.openStreams() === 0, 'no open stream');
    expect(workflow.listeners()).toBe(0);
  });

  it('ends with a hint to come back when the server stops, and opens none after', async () => {
    const workflow = await createMemoryWorkflow();
    note(workflow, 1);
    const server = await start(workflow);
    const reading = read(server, {}, () => false);
    await until(() => server.app.openStreams() === 1, 'an open stream');
    await server.close(2000);
    expect((await reading).at(-1)).toEqual({ kind: 'closing', seq: 1 });
    expect(workflow.listeners()).toBe(0);
  });
});

describe('a viewer that takes nothing', () => {
  /** Asks for the stream on a bare socket and never reads the answer. */
  async function stuckViewer(server: Served) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: keep-alive\r\n\r\n`,
    );
    await until(() => server.app.openStreams() > 0, 'the stream of the stuck viewer');
    return socket;
  }

  it('is closed when more than the buffer waits for it, and others go on', async () => {
    const workflow = await createMemoryWorkflow();
    const server = await start(workflow, { bufferBytes: 64 * 1024 });
    const socket = await stuckViewer(server);
    const text = 'x'.repeat(16 * 1024);
    const live = read(server, {}, (frames) => frames.some((frame) => frame.kind === 'event'));
    await until(() => server.app.openStreams() === 2, 'a second viewer');
    for (let sent = 0; sent < 20_000 && server.app.openStreams() > 1; sent += 1) {
      workflow.tell({ taskId: 'tsk_1', runId: 'run_1', delta: { kind: 'text_delta', text } });
      await new Promise((resolve) => setImmediate(resolve));
    }
    note(workflow, 1);
    expect(seqs(await live)).toEqual([1]);
    await until(() => server.app.openStreams() === 0, 'the stuck viewer to be dropped');
    expect(workflow.listeners()).toBe(0);
    socket.destroy();
  });

  it('is closed when a long replay does not move', async () => {
    const workflow = await createMemoryWorkflow();
    for (const number of range(1, 400))
      workflow.append({ type: 'note.added', summary: 'x'.repeat(64 * 1024), taskId: null, data: { number } });
    const server = await start(workflow, { heartbeatMs: 50, stuckMs: 300 });
    const socket = await stuckViewer(server);
    await until(() => server.app.openStreams() === 0, 'the stuck viewer to be dropped');
    expect(workflow.listeners()).toBe(0);
    socket.destroy();
    const patient = await start(workflow);
    expect(seqs(await read(patient, { after: 0 }, caughtUp))).toEqual(range(1, 400));
  });

  it('does not keep others waiting while a long log is read to a quick one', async () => {
    const workflow = await createMemoryWorkflow();
    for (const number of range(1, 10_000))
      workflow.append({ type: 'note.added', summary: 'short', taskId: null, data: { number } });
    const times = { now: Date.now, heartbeatMs: 60_000, stuckMs: 60_000 };
    const streams = createStreams({ workflow, ...times, limitBytes: 1 << 20 });
    const viewer = { workflow, projects: null, isStillAllowed: async () => true, destroy: () => undefined };
    let [turns, pieces] = [0, 0];
    const others = () => {
      turns += 1;
      turn = setImmediate(others);
    };
    let turn = setImmediate(others);
    for await (const piece of streams.open({ after: 0 }, viewer)) {
      pieces += 1;
      if (Buffer.from(piece).includes(`event: ${FRAME.caughtUp}\n`)) break;
    }
    clearImmediate(turn);
    expect(turns).toBeGreaterThanOrEqual(10_000 / 200);
    // Nor is there a write for each event.
    expect(pieces).toBeLessThan(1_000);
  });
});
