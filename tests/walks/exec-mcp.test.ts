import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FILE_TOOLS } from '@attractor/executor';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder, until } from './attractor.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/attractor.js');

type Served = { readonly client: Client; readonly folder: string; readonly pid: () => number | null };

/** The official client on the built command, as any host of MCP servers starts it. */
async function serve(home?: string): Promise<Served> {
  const folder = home ?? makeFolder();
  writeFileSync(path.join(folder, 'a.txt'), 'alpha\nbeta\n');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, 'mcp', 'serve', folder],
    env: { PATH: '/usr/bin:/bin', HOME: home ?? makeFolder() },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'walk', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, folder, pid: () => transport.pid };
}

async function call(
  { client }: Served,
  name: string,
  args: Record<string, unknown>,
): Promise<{ isError: boolean; value: unknown }> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return { isError: isError === true, value: first?.type === 'text' ? JSON.parse(first.text) : null };
}

describe('attractor mcp serve, driven by the official client', () => {
  test('lists the six tools with their schemas', async () => {
    const { client } = await serve();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(FILE_TOOLS.map(({ name }) => name));
    for (const [index, tool] of tools.entries()) {
      expect(tool.inputSchema).toEqual(FILE_TOOLS[index]?.parameters);
      expect(tool.annotations?.readOnlyHint).toBe(FILE_TOOLS[index]?.readOnly);
    }
    expect(client.getServerVersion()?.name).toBe('attractor-file-tools');
  });

  test('runs calls under both spellings, and the files change', async () => {
    const served = await serve();
    expect(await call(served, 'file.read', { path: 'a.txt', limit: 1 })).toEqual({
      isError: false,
      value: { content: '     1\talpha', total_lines: 2, truncated: true },
    });
    expect(await call(served, 'file_write', { path: 'new/b.txt', content: 'made\n' })).toMatchObject({
      isError: false,
    });
    expect(readFileSync(path.join(served.folder, 'new/b.txt'), 'utf8')).toBe('made\n');
    expect(await call(served, 'file.search', { pattern: 'BETA', caseSensitive: false })).toEqual({
      isError: false,
      value: { matches: [{ path: 'a.txt', line: 2, content: 'beta' }], truncated: false },
    });
  });

  test('answers bad arguments and failures with error results, and goes on', async () => {
    const served = await serve();
    expect(await call(served, 'file.read', {})).toMatchObject({ isError: true, value: { error: 'invalid_arguments' } });
    expect(await call(served, 'file.read', { path: 5 })).toMatchObject({
      isError: true,
      value: { error: 'invalid_arguments' },
    });
    expect(await call(served, 'file.read', { path: 'none' })).toMatchObject({
      isError: true,
      value: { error: 'file_not_found' },
    });
    expect(await call(served, 'file.read', { path: '/etc/passwd' })).toMatchObject({
      isError: true,
      value: { error: 'path_outside_workspace' },
    });
    await expect(served.client.callTool({ name: 'file.fly', arguments: {} })).rejects.toThrow(
      /Unknown tool "file\.fly"/,
    );
    expect(await call(served, 'file.read', { path: 'a.txt' })).toMatchObject({ isError: false });
  });

  test('hides the secrets of the home folder that it serves', async () => {
    const home = makeFolder();
    mkdirSync(path.join(home, '.ssh'));
    writeFileSync(path.join(home, '.ssh/id_ed25519'), 'canary\n');
    const served = await serve(home);
    expect(await call(served, 'file.read', { path: '.ssh/id_ed25519' })).toMatchObject({ isError: true });
    expect(await call(served, 'file.write', { path: '.ssh/config', content: 'x' })).toMatchObject({ isError: true });
    expect(JSON.stringify(await call(served, 'file.search', { pattern: 'canary' }))).not.toContain('ssh');
    expect(JSON.stringify(await call(served, 'file.list', { path: '.', pattern: '**/*' }))).not.toContain('id_ed25519');
    expect(await call(served, 'file.read', { path: 'a.txt' })).toMatchObject({ isError: false });
  });

  test('a cancelled call is ended, and the server goes on', async () => {
    const served = await serve();
    for (let folder = 0; folder < 40; folder++) {
      mkdirSync(path.join(served.folder, `d${folder}`));
      for (let file = 0; file < 25; file++)
        writeFileSync(path.join(served.folder, `d${folder}/f${file}`), `${'x'.repeat(200)}\n`.repeat(100));
    }
    const stopper = new AbortController();
    const slow = served.client.callTool(
      { name: 'file.search', arguments: { pattern: '(x+x+)+y' } },
      { signal: stopper.signal },
    );
    stopper.abort();
    await expect(slow).rejects.toThrow(/abort/i);
    expect(await call(served, 'file.list', { pattern: '*.txt' })).toMatchObject({ isError: false });
  });

  test('ends when its client goes', async () => {
    const { client, pid } = await serve();
    const id = pid();
    await client.close();
    await until(() => (isAlive(id) ? undefined : true), 'the end of the server');
    expect(isAlive(id)).toBe(false);
  });
});

function isAlive(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}
