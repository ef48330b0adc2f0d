import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLocalExecutionEnvironment } from '../../execution/local.ts';
import { createMemoryEnvironment } from '../../testing/memory-environment.ts';
import { makeFolder, until } from '@attractor/base/testing';

import { createToolRegistry, type ExecutionEnvironment } from '../../types/index.ts';
import { dispatchToolCalls } from '../dispatch.ts';
import { createShellTool } from '../shell.ts';
import { createBashTool } from './bash.ts';
import { createPersistentShell } from './persistent-shell.ts';
import { createBackgroundShells, type BackgroundShellsOptions } from './shells.ts';
import { createSpool } from '@attractor/system';
import { createBashOutputTool, createKillShellTool } from './tools.ts';

type Use = (name: string, args: Readonly<Record<string, unknown>>) => Promise<{ output: string; isError: boolean }>;

function user(env: ExecutionEnvironment, tools: Parameters<typeof createToolRegistry>[0]): Use {
  const registry = createToolRegistry(tools);
  return async (toolName, args) => {
    const [result] = await dispatchToolCalls([{ toolCallId: '1', toolName, args }], registry, env, false);
    return result ?? { output: 'no result', isError: true };
  };
}

function world(options: BackgroundShellsOptions = {}) {
  const root = makeFolder();
  const env = createLocalExecutionEnvironment(root);
  const shells = createBackgroundShells({ folder: makeFolder(), ...options });
  onTestFinished(() => shells.end());
  const bash = createBashTool({ shell: createShellTool(), background: shells });
  const use = user(env, [bash, createBashOutputTool(shells), createKillShellTool(shells)]);
  const start = async (command: string): Promise<string> => {
    const { output } = await use('shell', { command, run_in_background: true, description: 'For the test' });
    return /bash_\d+/.exec(output)?.[0] ?? output;
  };
  return { root, env, shells, use, start };
}

const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { interval: 10, timeout: 600_000 });

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a command in the background', () => {
  it('returns at once, and each look shows what is new, the state and the exit code', async () => {
    const { use, start, shells } = world();
    const id = await start('echo one; read -t 0.01; while [ ! -e go ]; do sleep 0.02; done; echo two; exit 3');
    let seen = '';
    await eventually(async () => expect((seen += (await use('bash_output', { bash_id: id })).output)).toContain('one'));
    expect(seen).toContain(`[${id}: running]`);
    expect(shells.list()).toMatchObject([{ id, status: 'running', description: 'For the test' }]);
    await use('shell', { command: 'touch go' });
    let later = '';
    await eventually(async () =>
      expect((later += (await use('bash_output', { bash_id: id })).output)).toContain('exit code'),
    );
    expect(later).toContain('two');
    expect(later).not.toContain('one');
    expect(later).toContain(`[${id}: failed, exit code 3]`);
    expect((await use('bash_output', { bash_id: id })).output).toBe(`[${id}: failed, exit code 3]`);
  });

  it('shows only lines that match a filter, and refuses one that is none', async () => {
    const { use, start, shells } = world();
    const id = await start('echo keep 1; echo drop; echo keep 2');
    await until(() => shells.list()[0]?.status === 'completed');
    expect(await use('bash_output', { bash_id: id, filter: '(' })).toMatchObject({ isError: true });
    expect((await use('bash_output', { bash_id: id, filter: '^keep' })).output).toBe(
      `keep 1\nkeep 2\n[${id}: completed, exit code 0]`,
    );
  });

  it('is ended with its whole process group, and with those that left it', async () => {
    const { use, start, root, env } = world();
    const id = await start('sleep 300 & setsid sleep 301 & echo $! > pids; jobs -p >> pids; wait');
    await until(() => readdirSync(root).includes('pids'));
    await eventually(async () => expect((await env.readText('pids')).trim().split('\n').length).toBeGreaterThan(1));
    const pids = (await env.readText('pids')).trim().split('\n').map(Number);
    expect(pids.every(isAlive)).toBe(true);
    expect(await use('kill_shell', { shell_id: id })).toEqual({
      toolCallId: '1',
      output: `${id} was ended.`,
      isError: false,
    });
    await until(() => !pids.some(isAlive));
    expect((await use('bash_output', { bash_id: id })).output).toContain(`[${id}: killed`);
    expect((await use('kill_shell', { shell_id: id })).output).toContain('was ended');
    expect(await use('kill_shell', { shell_id: 'bash_9' })).toMatchObject({
      isError: true,
      output: expect.stringContaining(id),
    });
  });

  it('ends with the environment, and with the shells of the session', async () => {
    const { start, env, shells } = world();
    await start('sleep 300');
    await start('exec sleep 301');
    const pids = shells.list().map(({ pid }) => pid);
    await env.cleanup();
    await until(() => !pids.some(isAlive));
    await until(() => shells.list().every(({ status }) => status !== 'running'));
    expect(shells.list().map(({ end }) => end?.exitCode)).toEqual([137, 137]);
  });

  it('keeps output bounded, and tells how much is gone', async () => {
    const folder = makeFolder();
    const { use, start, shells } = world({ maxBytes: 10_000, folder });
    const id = await start('for i in $(seq 1 20000); do echo "line $i"; done');
    await until(() => shells.list()[0]?.status === 'completed');
    const { output } = await use('bash_output', { bash_id: id });
    expect(output).toMatch(/^\[\d+ bytes were printed before this and are no longer kept\.\]/);
    expect(output).toContain('line 20000');
    expect(output.length).toBeLessThan(11_000);
    await shells.end();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves what it printed in no file that has a name, while it runs and after', async () => {
    const folder = makeFolder();
    const { use, start, shells } = world({ folder });
    const id = await start('echo "password=hunter2-and-more"; sleep 300');
    for (let seen = ''; !seen.includes('hunter2');) {
      await wait(5);
      seen += (await use('bash_output', { bash_id: id })).output;
    }
    expect(readdirSync(folder, { recursive: true })).toEqual([]);
    await shells.end();
    expect(readdirSync(folder, { recursive: true })).toEqual([]);
  });

  it('is refused beyond the limit, and where the environment can not do it', async () => {
    const { start, use } = world({ maxRunning: 1 });
    await start('sleep 300');
    expect(await use('shell', { command: 'sleep 1', run_in_background: true })).toMatchObject({ isError: true });
    const shells = createBackgroundShells();
    const memory = user(createMemoryEnvironment(), [createBashTool({ shell: createShellTool(), background: shells })]);
    expect(await memory('shell', { command: 'x', run_in_background: true })).toMatchObject({ isError: true });
    const none = user(createMemoryEnvironment(), [createBashTool({ shell: createShellTool() })]);
    expect((await none('shell', { command: 'x', run_in_background: true })).output).toContain('run_in_background');
  });
});

describe('the spool', () => {
  it('gives back from any position what it still has', () => {
    const spool = createSpool({ maxBytes: 8, folder: makeFolder() });
    onTestFinished(spool.remove);
    for (const piece of ['abc', 'defgh', 'ijk']) spool.push(Buffer.from(piece));
    expect(spool.length()).toBe(11);
    const { bytes, from } = spool.read(0, 100);
    expect('abcdefghijk'.slice(from)).toBe(bytes.toString());
    expect(bytes.length).toBeGreaterThanOrEqual(4);
    expect(spool.read(9, 1).bytes.toString()).toBe('j');
    expect(spool.read(11, 5).bytes.length).toBe(0);
  });
});

describe('a shell that stays open', () => {
  const persistent = () => {
    const env = createLocalExecutionEnvironment(makeFolder({ 'sub/x.txt': 'x' }));
    const shell = createPersistentShell();
    onTestFinished(() => shell.end());
    const use = user(env, [
      createBashTool({ shell: createShellTool({ defaultTimeoutMs: 600_000 }), persistent: shell }),
    ]);
    return async (command: string, more: object = {}) => (await use('shell', { command, ...more })).output;
  };

  it('keeps variables, functions and the working directory', async () => {
    const run = persistent();
    await run("export A='it''s'; B=2; f() { echo f $1; }; cd sub");
    expect(await run("echo $A $B; f 3; ls; sh -c 'echo $A'")).toMatch(/^its 2\nf 3\nx\.txt\nits\n\[exit code 0/);
  });

  it('tells exit codes, and takes quotes, here-documents, syntax errors and no line end as they come', async () => {
    const run = persistent();
    expect(await run('false')).toMatch(/^\[exit code 1/);
    expect(await run("cat <<'END'\nit's \"here\"\nEND")).toMatch(/^it's "here"\n\[exit code 0/);
    expect(await run('printf "no end"; exit_code() { return 7; }; exit_code')).toMatch(/^no end\n\[exit code 7/);
    expect(await run('echo "unbalanced')).toMatch(/unexpected EOF[^]*exit code [12]/);
    expect(await run('cat; echo after')).toMatch(/^after/);
    expect(await run('exec >/dev/null; echo hidden')).toMatch(/^\[exit code 0/);
    expect(await run('echo to-stderr >&2')).toContain('[stderr]\nto-stderr');
  });

  it('is started anew after a timeout and after an exit, and says so', async () => {
    const run = persistent();
    await run('A=1');
    expect(await run('echo before; sleep 60', { timeout_ms: 300 })).toMatch(/before[^]*timed out[^]*started anew/);
    expect(await run('echo "[$A]"')).toContain('[]');
    expect(await run('echo bye; exit 4')).toMatch(/bye[^]*ended the shell[^]*exit code 4/);
    expect(await run('echo back')).toMatch(/^back\n\[exit code 0/);
  });

  it('gives a flood of output in bounds, and runs commands one after the other', async () => {
    const run = persistent();
    const [flood, next] = await Promise.all([
      run('head -c 3000000 /dev/zero | tr "\\0" x; echo; echo end'),
      run('echo next'),
    ]);
    expect(flood).toContain('bytes of output omitted');
    expect(flood).toContain('end\n[exit code 0');
    expect(next).toMatch(/^next\n/);
  });
});
