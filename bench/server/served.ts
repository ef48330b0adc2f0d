/**
 * A server to be measured, with a board of tasks: ours, or a bare one that answers the same bytes. Prints where it is. Each line `N` on
 * its input makes N things happen, one after another, which viewers are told of.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { ACTOR, serveProject } from '../measuring/served-project.ts';

const TASKS = 100;
const [what = 'ours', boardFile = '', eventFile = ''] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'attractor-bench-'));

type Measured = {
  readonly url: string;
  readonly token: string;
  readonly happen: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const server = what === 'ours' ? await ours() : await bare();
console.log(JSON.stringify({ url: server.url, token: server.token }));
for await (const line of createInterface({ input: process.stdin })) await server.happen(Number(line));
await server.close();
rmSync(home, { recursive: true, force: true });

async function ours(): Promise<Measured> {
  const { workflow, url, token, close, project } = await serveProject(home, null);
  let taskId = '';
  for (let number = 1; number <= TASKS; number += 1) {
    const task = await workflow.createTask({ projectId: project.id, title: `Task ${number}` }, ACTOR);
    if (task.ok) taskId = task.value.id;
  }
  const happen = async (count: number): Promise<void> => {
    for (let number = 1; number <= count; number += 1)
      await workflow.addNote({ taskId, text: `Note ${number}` }, ACTOR);
  };
  await happen(1);
  return { url, token, happen, close };
}

/**
 * Holds nothing, checks nothing: every request gets the same object as JSON, and every event, of the same bytes as ours, is written to every
 * viewer as it happens, made into bytes once.
 */
async function bare(): Promise<Measured> {
  const viewers = new Set<ServerResponse>();
  const board: object = JSON.parse(readFileSync(boardFile, 'utf8'));
  const event: object = JSON.parse(readFileSync(eventFile, 'utf8'));
  const app = new Hono();
  app.get('/api/views/task-list', (context) => context.json(board));
  const listener = getRequestListener(app.fetch);
  const http = createServer((request, response) => {
    if (!request.url?.startsWith('/api/events?')) return void listener(request, response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': hello\n\n');
    viewers.add(response);
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const happen = async (count: number): Promise<void> => {
    const frames = Array.from({ length: count }, (_, at) =>
      Buffer.from(`id: ${at + 1}\nevent: event\ndata: ${JSON.stringify({ ...event, seq: at + 1 })}\n\n`),
    );
    for (const frame of frames) {
      for (const viewer of viewers) viewer.write(frame);
      await new Promise((resolve) => void setImmediate(resolve));
    }
  };
  const close = async (): Promise<void> => {
    http.closeAllConnections();
    http.close();
  };
  return { url: `http://127.0.0.1:${port}`, token: '', happen, close };
}
