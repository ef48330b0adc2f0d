import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalExecutionEnvironment, type ExecutionEnvironment } from '@attractor/agent';
import { EnvironmentError } from '@attractor/system';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { createFileToolsServer } from './mcp-server.ts';

it('a call that the client cancels is stopped where it runs', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcp-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const begun = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const endless: ExecutionEnvironment['grep'] = (_pattern, _where, { signal } = {}) =>
    new Promise((_resolve, reject) => {
      begun.resolve();
      signal?.addEventListener('abort', () => {
        stopped.resolve();
        reject(new EnvironmentError({ code: 'aborted', message: 'stopped' }));
      });
    });
  const server = createFileToolsServer({ ...createLocalExecutionEnvironment(folder), grep: endless }, { version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  const stopper = new AbortController();
  const call = client.callTool({ name: 'file.search', arguments: { pattern: 'x' } }, { signal: stopper.signal });
  const outcome = call.then(
    () => 'answered',
    () => 'cancelled',
  );
  await begun.promise;
  stopper.abort();
  await stopped.promise;
  expect(await outcome).toBe('cancelled');
  expect((await client.callTool({ name: 'file.list', arguments: {} })).isError).toBe(false);
  await client.close();
});
