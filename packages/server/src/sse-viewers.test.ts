import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { createMemoryWorkflow, type MemoryWorkflow } from './test-support/memory-workflow.ts';
import { serve, TOKEN, until, type Served } from './test-support/serve.ts';

const SOAK = process.env['SOAK'] === '1';
/** In the soak twenty a second, for thirty seconds. */
const [VIEWERS, STUCK, EVENTS, EVERY_MS] = SOAK ? [1_000, 50, 600, 50] : [50, 5, 300, 0];
/** A thousand viewers share this process with the server: ten signs of life a second for each would be most of its work. */
const HEARTBEAT_MS = SOAK ? 2_000 : 100;
/** Together more than a connection holds that nobody reads. */
const LARGE = 'x'.repeat(SOAK ? 16 * 1024 : 48 * 1024);

const HEADERS = { authorization: `Bearer ${TOKEN}` };

/** Counts what it is sent, and what comes out of turn. */
function watch(server: Served) {
  const seen = { last: 0, outOfTurn: 0, ended: false };
  let rest = '';
  const request = get(`${server.url}/api/events?taskId=tsk_small`, { headers: HEADERS, agent: false }, (response) => {
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const frames = `${rest}${text}`.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const number = /^id: \d+\nevent: event\n.*"small (\d+)"/.exec(frame)?.[1];
        if (number === undefined) continue;
        if (Number(number) !== seen.last + 1) seen.outOfTurn += 1;
        seen.last = Number(number);
      }
    });
    response.on('close', () => {
      seen.ended = true;
    });
  });
  request.on('error', () => undefined);
  return { seen, stop: () => request.destroy() };
}

/** Asks for everything, and never reads. */
function beStuck(server: Served) {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
  return socket;
}

async function write(workflow: MemoryWorkflow): Promise<void> {
  const begun = performance.now();
  for (let number = 1; number <= EVENTS; number += 1) {
    workflow.append({ type: 'note.added', summary: `small ${number}`, taskId: 'tsk_small', data: {} });
    workflow.append({ type: 'note.added', summary: LARGE, taskId: 'tsk_large', data: {} });
    const left = begun + number * EVERY_MS - performance.now();
    await (left > 0 ? sleep(left) : new Promise((resolve) => void setImmediate(resolve)));
  }
}

/** What is in use after everything else was given back. */
function memory(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') for (let round = 0; round < 3; round += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it(`${VIEWERS} viewers miss nothing and get nothing twice, while ${STUCK} that do not read are dropped`, async () => {
  const workflow = await createMemoryWorkflow();
  const server = await serve({ workflow, heartbeatMs: HEARTBEAT_MS, stuckMs: 500 });
  onTestFinished(() => server.close(100));
  const before = memory();
  const sockets = Array.from({ length: STUCK }, () => beStuck(server));
  const viewers = Array.from({ length: VIEWERS }, () => watch(server));
  await until(() => server.app.openStreams() === VIEWERS + STUCK, 'every viewer');
  await write(workflow);
  await until(() => viewers.every(({ seen }) => seen.last === EVENTS), 'the last event at every viewer');
  expect(viewers.filter(({ seen }) => seen.outOfTurn > 0 || seen.ended)).toEqual([]);
  await until(() => server.app.openStreams() === VIEWERS, 'the stuck viewers to be dropped');
  expect(viewers.some(({ seen }) => seen.ended)).toBe(false);
  for (const { stop } of viewers) stop();
  for (const socket of sockets) socket.destroy();
  await until(() => server.app.openStreams() === 0, 'no open stream');
  expect(workflow.listeners()).toBe(0);
  // A few megabytes belong to what was compiled meanwhile.
  await expect.poll(() => memory() - before).toBeLessThan(SOAK ? 24e6 : 12e6);
});
