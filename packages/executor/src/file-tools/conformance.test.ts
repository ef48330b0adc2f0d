import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { expect, it, onTestFinished } from 'vitest';
import { serveOverHttp } from '../test-support/mcp-over-http.ts';

const run = promisify(execFile);
const SUITE = path.resolve(import.meta.dirname, '../../../../node_modules/.bin/conformance');

/** What every MCP server with tools has to do. */
const APPLIES = ['server-initialize', 'ping', 'tools-list'];

/** Cases about features that this server does not offer, and why. */
const DOES_NOT_APPLY: Readonly<Record<string, RegExp>> = {
  'they call tools that only a server made for the suite has': /^(tools-call-|json-schema-2020-12|elicitation-)/,
  'the server has tools alone: no resources, prompts, logging or completion':
    /^(resources-|prompts-|logging-|completion-)/,
  'they test an HTTP transport, and the product serves over stdin and stdout': /^(server-sse-|dns-rebinding-)/,
};

async function makeServer(): Promise<{ readonly url: string; readonly folder: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const served = await serveOverHttp(createLocalExecutionEnvironment(folder));
  onTestFinished(async () => {
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { url: served.url, folder };
}

it.each(APPLIES)('the official suite finds nothing wrong in %s', async (scenario) => {
  const { url, folder } = await makeServer();
  const args = [SUITE, 'server', '--url', url, '--scenario', scenario];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  expect(stdout).toMatch(/Passed: [1-9]\d*\/[1-9]\d*, 0 failed/);
});

it('every scenario of the suite is either tried or known not to apply', async () => {
  const { stdout } = await run(process.execPath, [SUITE, 'list', '--server']);
  const scenarios = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name ?? '');
  const known = (name: string): boolean =>
    APPLIES.includes(name) || Object.values(DOES_NOT_APPLY).some((names) => names.test(name));
  expect(scenarios.length).toBeGreaterThan(20);
  expect(scenarios.filter((name) => !known(name))).toEqual([]);
});
