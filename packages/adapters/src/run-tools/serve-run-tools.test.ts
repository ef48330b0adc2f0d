import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createRunTools } from './run-tools.ts';
import { serveRunTools } from './serve-run-tools.ts';

async function serve() {
  const outcomes = [{ outcome: 'pr_ready', description: 'Done.', payloadSchema: null }];
  const approve = async () => ({ decision: 'approve' as const });
  const tools = createRunTools({ outcomes, approve }, { reported: null, keepReport: () => undefined });
  const { socket, args, close } = await serveRunTools(tools, { sandboxed: false });
  onTestFinished(close);
  return { socket, token: args.at(-1) ?? '', tools };
}

/** What is answered to a caller that says this token, then reports, until the connection ends. */
async function report(socket: string, token: string): Promise<string> {
  const connection = connect(socket);
  const params = { name: 'report_outcome', arguments: { outcome: 'pr_ready', runId: 'run_of_another' } };
  connection.write(`${token}\n${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  connection.once('data', () => connection.end());
  return text(connection).catch(() => '');
}

it('a report counts for the run that the connection belongs to, and only with the token of that run', async () => {
  const [mine, other] = [await serve(), await serve()];
  expect(mine.token).not.toBe(other.token);
  expect(await report(mine.socket, other.token)).toBe('');
  expect(await report(mine.socket, '')).toBe('');
  expect([mine.tools.report(), other.tools.report()]).toEqual([null, null]);
  await report(mine.socket, mine.token);
  expect([mine.tools.report(), other.tools.report()]).toEqual([{ outcome: 'pr_ready', payload: null }, null]);
});
