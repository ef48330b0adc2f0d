import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder, runAttractor, SANDBOX, until } from './attractor.ts';
import { plainGit } from './hostile-repository.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/attractor.js');
/** Gives a program a terminal; part of every Debian. */
const TERMINAL = '/usr/bin/script';

type AtTerminal = {
  readonly home: string;
  readonly shown: () => string;
  readonly type: (keys: string) => void;
  readonly code: Promise<number | null>;
};

/** There is no model: what counts comes before. */
const RUN = ['run', 'hello', '--provider=anthropic', '--base-url=http://127.0.0.1:9', '--max-retries=0'];

/** The command with a person at the terminal, in a repository with a check of its own. */
function start(args: ReadonlyArray<string>, through: ReadonlyArray<string> = []): AtTerminal {
  const home = makeFolder();
  const repository = path.join(home, 'repository');
  mkdirSync(path.join(repository, '.attractor'), { recursive: true });
  writeFileSync(path.join(repository, '.attractor/config.json'), '{ "checks": { "odd": "printf \u202e" } }');
  plainGit(repository, ['init', '-q', '-b', 'main']);
  plainGit(repository, ['add', '--all']);
  plainGit(repository, ['commit', '-q', '-m', 'first']);
  const line = [...through, process.execPath, COMMAND, ...args].join(' ');
  const child = spawn(TERMINAL, ['-qec', `stty cols 150 rows 50; exec ${line}`, '/dev/null'], {
    cwd: repository,
    env: { PATH: '/usr/bin:/bin', HOME: home, SHELL: '/bin/sh', TERM: 'xterm', ANTHROPIC_API_KEY: 'none' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text));
  child.stdin.on('error', () => undefined);
  return {
    home,
    shown: () => stripVTControlCharacters(output),
    type: (keys) => void child.stdin.write(keys),
    code: new Promise((resolve) => child.once('close', resolve)),
  };
}

const QUESTION = 'Trust this file exactly as shown?';

describe.runIf(existsSync(TERMINAL))('attractor run at a terminal, in a repository that nobody trusted', () => {
  test('shows what would be trusted, every byte of it, and trusts it on a yes alone', async () => {
    const { home, shown, type } = start(RUN);
    await until(() => (shown().includes(QUESTION) ? true : undefined), 'the question');
    expect(shown()).toMatch(/repository is not trusted: none of it is used/);
    expect(shown()).toContain('"odd": "printf \\u{202e}"');
    expect(existsSync(path.join(home, '.attractor/trust.json'))).toBe(false);
    type('y');
    await until(() => (shown().includes('1/10 prepare') ? true : undefined), 'the first step');
    expect(readFileSync(path.join(home, '.attractor/trust.json'), 'utf8')).toContain(
      path.join(home, 'repository/.git'),
    );
  });

  test('goes on without it on a no, and says so; once it says that there is no sandbox', async () => {
    const bare = SANDBOX.available
      ? [SANDBOX.path, '--die-with-parent', '--dev-bind', '/', '/', '--ro-bind', '/dev/null', SANDBOX.path, '--']
      : [];
    const { home, shown, type } = start(RUN, bare);
    await until(() => (shown().includes(QUESTION) ? true : undefined), 'the question');
    type('n');
    await until(() => (shown().includes('1/10 prepare') ? true : undefined), 'the first step');
    expect(shown()).toMatch(/is not trusted and is not used: see `attractor trust show`/);
    expect(shown().split('Commands run without a sandbox').length).toBe(2);
    expect(existsSync(path.join(home, '.attractor/trust.json'))).toBe(false);
  });
});

describe('attractor trust grant', () => {
  test.runIf(existsSync(TERMINAL))('trusts nothing on Enter alone, nor on Ctrl-C', async () => {
    const answered = async (keys: string): Promise<ReadonlyArray<unknown>> => {
      const { home, shown, type, code } = start(['trust', 'grant']);
      await until(() => (shown().includes(QUESTION) ? true : undefined), 'the question');
      type(keys);
      return [await code, existsSync(path.join(home, '.attractor/trust.json'))];
    };
    const [enter, stop] = await Promise.all([answered('\r'), answered('\u0003')]);
    expect({ enter, stop }).toEqual({ enter: [4, false], stop: [4, false] });
  });

  test('takes no yes from a pipe', async () => {
    const home = makeFolder();
    mkdirSync(path.join(home, '.attractor'));
    writeFileSync(path.join(home, '.mcp.json'), '{ "mcpServers": { "x": { "command": "x" } } }');
    plainGit(home, ['init', '-q']);
    const ended = await runAttractor(['trust', 'grant'], { home, stdin: 'y\n' });
    expect([ended.code, ended.stderr]).toEqual([4, expect.stringContaining('nobody can be asked here')]);
    expect(existsSync(path.join(home, '.attractor/trust.json'))).toBe(false);
  });
});
