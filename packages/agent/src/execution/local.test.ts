import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defined } from '@attractor/base';
import { gone, makeFolder } from '@attractor/base/testing';

import { createLocalExecutionEnvironment } from './local.ts';

const world = (files: Readonly<Record<string, string>> = {}) => {
  const root = makeFolder(files);
  return { root, env: createLocalExecutionEnvironment(root) };
};

describe('reading', () => {
  it('numbers lines from one, right aligned, with a tab (AC4.1)', async () => {
    const { env } = world({ 'a.txt': 'one\ntwo\nthree\n' });
    expect(await env.readFile('a.txt')).toBe('     1\tone\n     2\ttwo\n     3\tthree');
  });

  it('keeps the true numbers with offset and limit (AC4.1)', async () => {
    const { env } = world({ 'a.txt': 'one\ntwo\nthree\nfour' });
    expect(await env.readFile('a.txt', 1, 2)).toBe('     2\ttwo\n     3\tthree');
    expect(await env.readFile('a.txt', 3)).toBe('     4\tfour');
  });

  it('shows neither CR nor byte order mark, and nothing of an empty file', async () => {
    const { env } = world({ 'a.txt': '\ufeffone\r\n\r\nthree', 'empty.txt': '' });
    expect(await env.readFile('a.txt')).toBe('     1\tone\n     2\t\n     3\tthree');
    expect(await env.readFile('empty.txt')).toBe('');
  });

  it('reads a line that spans many chunks', async () => {
    const { env } = world({ 'a.txt': `${'x'.repeat(200_000)}\n${'ü'.repeat(100_000)}\nend` });
    const lines = (await env.readFile('a.txt')).split('\n');
    expect(lines.map((line) => line.length)).toEqual([200_007, 100_007, 10]);
  });

  it('costs the memory of the lines asked, not of the file', async () => {
    const { root, env } = world({ 'big.txt': `first\nsecond\n${'x'.repeat(10_000)}\n` });
    truncateSync(path.join(root, 'big.txt'), 3 * 1024 ** 3);
    expect(await env.readFile('big.txt', 0, 2)).toBe('     1\tfirst\n     2\tsecond');
    await expect(env.readText('big.txt')).rejects.toMatchObject({ code: 'too_large' });
  });

  it('answers a missing file, a folder, a binary file and a too large offset with what to do', async () => {
    const { root, env } = world({ 'a.txt': 'one\n', 'dir/x': '' });
    writeFileSync(path.join(root, 'b.bin'), Buffer.from([1, 0, 2]));
    await expect(env.readFile('gone.txt')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('gone.txt'),
    });
    await expect(env.readFile('dir')).rejects.toMatchObject({ code: 'not_a_file' });
    await expect(env.readFile('b.bin')).rejects.toMatchObject({ code: 'binary' });
    await expect(env.readFile('a.txt', 9)).rejects.toMatchObject({
      code: 'out_of_range',
      message: expect.stringContaining('1 lines'),
    });
  });

  it('gives editors the exact text, and refuses what they could not write back', async () => {
    const { root, env } = world({ 'a.txt': '\ufeffone\r\n' });
    expect(await env.readText('a.txt')).toBe('\ufeffone\r\n');
    writeFileSync(path.join(root, 'latin1.txt'), Buffer.from([0x66, 0xfc, 0x72]));
    await expect(env.readText('latin1.txt')).rejects.toMatchObject({ code: 'binary' });
    expect(await env.readBytes('latin1.txt')).toHaveLength(3);
  });

  it('stops on an abort signal', async () => {
    const { env } = world({ 'a.txt': 'x' });
    await expect(env.readFile('a.txt', 0, 1, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

describe('writing', () => {
  it('makes parent folders and leaves no temporary file (AC4.2)', async () => {
    const { root, env } = world();
    await env.writeFile('a/b/c.txt', 'hello');
    expect(readFileSync(path.join(root, 'a/b/c.txt'), 'utf8')).toBe('hello');
    expect(readdirSync(path.join(root, 'a/b'))).toEqual(['c.txt']);
  });

  it('keeps mode and link, and changes what the link points at', async () => {
    const { root, env } = world({ 'run.sh': 'old' });
    chmodSync(path.join(root, 'run.sh'), 0o751);
    symlinkSync('run.sh', path.join(root, 'link.sh'));
    await env.writeFile('link.sh', 'new');
    expect(readFileSync(path.join(root, 'run.sh'), 'utf8')).toBe('new');
    expect(statSync(path.join(root, 'run.sh')).mode & 0o777).toBe(0o751);
    expect(lstatSync(path.join(root, 'link.sh')).isSymbolicLink()).toBe(true);
  });

  it('leaves nothing behind when it fails', async () => {
    const { root, env } = world({ 'dir/x': '' });
    await expect(env.writeFile('dir', 'x')).rejects.toMatchObject({ code: 'not_a_file' });
    await expect(env.writeFile(`new/${'n'.repeat(256)}`, 'x')).rejects.toMatchObject({ code: 'invalid_path' });
    await expect(env.writeFile('new/bad\u202ename', 'x')).rejects.toMatchObject({ code: 'invalid_path' });
    expect(readdirSync(root)).toEqual(['dir']);
  });

  it('deletes files and links, never folders or what is not there', async () => {
    const { root, env } = world({ 'a.txt': 'x', 'dir/x': '' });
    symlinkSync('a.txt', path.join(root, 'link'));
    await env.deleteFile('link');
    expect(await env.fileExists('a.txt')).toBe(true);
    await env.deleteFile('a.txt');
    expect(await env.fileExists('a.txt')).toBe(false);
    await expect(env.deleteFile('a.txt')).rejects.toMatchObject({ code: 'not_found' });
    await expect(env.deleteFile('dir')).rejects.toMatchObject({ code: 'not_a_file' });
  });

  it('lists a folder, deeper when asked', async () => {
    const { env } = world({ 'b.txt': 'xx', 'a/c.txt': 'x' });
    expect(await env.listDirectory('.')).toEqual([
      { name: 'a', isDir: true, size: null },
      { name: 'b.txt', isDir: false, size: 2 },
    ]);
    expect((await env.listDirectory('.', 2)).map((entry) => entry.name)).toEqual(['a', 'a/c.txt', 'b.txt']);
    await expect(env.listDirectory('b.txt')).rejects.toMatchObject({ code: 'not_a_directory' });
  });
});

describe('commands', () => {
  it('captures both streams, the exit code and the duration (AC4.3)', async () => {
    const { env } = world();
    const result = await env.execCommand('echo out; echo err >&2; exit 3');
    expect(result).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exitCode: 3, timedOut: false });
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('runs in the folder asked, and only inside the root', async () => {
    const { root, env } = world({ 'sub/x': '' });
    expect((await env.execCommand('pwd', 5000, 'sub')).stdout.trim()).toBe(path.join(root, 'sub'));
    await expect(env.execCommand('pwd', { workingDir: '..' })).rejects.toMatchObject({ code: 'outside' });
  });

  it('ends the whole process group at the timeout and says so (AC4.5)', async () => {
    const { root, env } = world();
    const result = await env.execCommand('(sleep 30; touch late) & sleep 30', 100);
    expect(result).toMatchObject({ timedOut: true, signal: 'SIGTERM', exitCode: 143 });
    expect(result.stderr).toContain('timed out after 100 ms');
    expect(existsSync(path.join(root, 'late'))).toBe(false);
  });

  it('kills what ignores the polite signal (AC4.5)', async () => {
    const { env } = world();
    let result = await env.execCommand('true');
    // On a busy machine it may be asked to end before it ignores that.
    for (let limitMs = 100; !result.stdout.includes('deaf'); limitMs *= 4)
      result = await env.execCommand("trap '' TERM; echo deaf; while :; do sleep 0.1; done", limitMs);
    expect(result).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
    expect(result.durationMs).toBeGreaterThan(1_500);
  });

  it('returns soon although a background child holds the pipe, and ends it, even out of its group', async () => {
    const { root, env } = world();
    const result = await env.execCommand(
      'sleep 300 & echo $! > pid1; setsid sleep 300 & sleep 0.1; echo $! > pid2; echo done',
    );
    expect(result.stdout).toBe('done\n');
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toContain('background');
    expect(result.durationMs).toBeLessThan(300_000);
    for (const file of ['pid1', 'pid2']) await gone(Number(readFileSync(path.join(root, file), 'utf8')));
  });

  it('ends a detached, silent child at clean-up', async () => {
    const { root, env } = world();
    const { exitCode } = await env.execCommand('setsid sleep 300 >/dev/null 2>&1 & echo $! > pid');
    expect(exitCode).toBe(0);
    await env.cleanup();
    await gone(Number(readFileSync(path.join(root, 'pid'), 'utf8')));
  });

  it('stops on abort', async () => {
    const { env } = world();
    const controller = new AbortController();
    const running = env.execCommand('echo started; sleep 30', {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    });
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
  });

  it('keeps head and tail of a flood', async () => {
    const env = createLocalExecutionEnvironment(makeFolder(), 'inherit_core', { maxOutputBytes: 10_000 });
    const result = await env.execCommand('echo first; head -c 2000000 /dev/zero | tr "\\0" x; echo; echo last', 60_000);
    expect(result.stdout.startsWith('first\n')).toBe(true);
    expect(result.stdout.endsWith('\nlast\n')).toBe(true);
    expect(result.stdout).toContain('bytes of output omitted');
    expect(result.stdout.length).toBeLessThan(11_000);
  });

  it('gives valid text for cut and invalid characters', async () => {
    const { env } = world();
    const { stdout } = await env.execCommand(String.raw`printf 'a\xff\xc3'; sleep 0.05; printf '\xbc'`);
    expect(stdout).toBe('a\ufffdü');
  });

  it('has no terminal, no pager and an ended stdin', async () => {
    const { env } = world();
    const { stdout } = await env.execCommand('cat; echo $PAGER $GIT_PAGER; test -t 0 || echo no-tty');
    expect(stdout).toBe('cat cat\nno-tty\n');
  });
});

describe('variables', () => {
  const host = {
    PATH: '/usr/bin:/bin',
    HOME: '/home/x',
    EDITOR_NAME: 'ed',
    my_api_key: 's',
    GH_TOKEN: 's',
    DB_PASSWORD: 's',
    A_SECRET: 's',
    B_CREDENTIAL: 's',
    NODE_PATH: '/n',
  };
  const names = async (policy: 'inherit_all' | 'inherit_core' | 'inherit_none'): Promise<string[]> => {
    const env = createLocalExecutionEnvironment(makeFolder(), policy, { env: host });
    const { stdout } = await env.execCommand('/usr/bin/env', { envVars: { GIVEN_TOKEN: 'mine' } });
    return stdout
      .split('\n')
      .map((line) => line.split('=')[0] ?? '')
      .filter((name) => name in host || name === 'GIVEN_TOKEN')
      .toSorted();
  };

  it('inherits the core by default (AC4.6)', async () => {
    expect(await names('inherit_core')).toEqual(['GIVEN_TOKEN', 'HOME', 'NODE_PATH', 'PATH']);
  });

  it('inherits all but the sensitive when asked, in any case (AC4.6)', async () => {
    expect(await names('inherit_all')).toEqual(['EDITOR_NAME', 'GIVEN_TOKEN', 'HOME', 'NODE_PATH', 'PATH']);
  });

  it('inherits nothing when asked, but what the caller passes is always there', async () => {
    expect(await names('inherit_none')).toEqual(['GIVEN_TOKEN']);
  });

  it('works with nothing but a folder', async () => {
    const { env } = world();
    expect((await env.execCommand('ls /')).exitCode).toBe(0);
  });
});

describe.each([
  ['with the packaged ripgrep', undefined],
  ['without ripgrep', null],
  ['with a ripgrep that does not start', '/nowhere/rg'],
])('searching %s', (_, ripgrep) => {
  const make = () => {
    const root = makeFolder({
      'src/a.ts': 'const one = 1;\nconst Two = 2;\n',
      'src/b.md': 'one\n',
      '.git/config': 'one',
      '.hidden': 'one',
    });
    return createLocalExecutionEnvironment(root, 'inherit_core', defined({ ripgrep }));
  };

  it('finds lines with path and number', async () => {
    expect(await make().grep('one', '.')).toBe('.hidden:1:one\nsrc/a.ts:1:const one = 1;\nsrc/b.md:1:one');
  });

  it('honours case, include, context, results and a single file', async () => {
    const env = make();
    expect(await env.grep('two', '.')).toBe('');
    expect(await env.grep('two', '.', { caseSensitive: false })).toBe('src/a.ts:2:const Two = 2;');
    expect(await env.grep('one', '.', { includePattern: '*.md' })).toBe('src/b.md:1:one');
    expect(await env.grep('Two', 'src', { contextLines: 1 })).toBe(
      'src/a.ts-1-const one = 1;\nsrc/a.ts:2:const Two = 2;',
    );
    expect((await env.grep('one', '.', { maxResults: 2 })).split('\n')).toHaveLength(2);
    expect(await env.grep('one', 'src/b.md')).toBe('src/b.md:1:one');
  });

  it('takes a pattern that looks like an option as a pattern', async () => {
    expect(await make().grep('--files', '.')).toBe('');
  });

  it('answers a broken pattern and a path outside with an error', async () => {
    await expect(make().grep('(', '.')).rejects.toMatchObject({ code: 'invalid_pattern' });
    await expect(make().grep('x', '..')).rejects.toMatchObject({ code: 'outside' });
  });
});

describe('globbing', () => {
  it('gives sorted paths from the root, without git and packages', async () => {
    const { env } = world({
      'src/b.ts': '',
      'src/deep/a.ts': '',
      'node_modules/x/i.ts': '',
      '.git/x.ts': '',
      'c.ts': '',
    });
    expect(await env.glob('**/*.ts', '.')).toEqual(['c.ts', 'src/b.ts', 'src/deep/a.ts']);
    expect(await env.glob('*.ts', 'src')).toEqual(['src/b.ts']);
  });

  it('does not leave its folder', async () => {
    const { root, env } = world({ 'a.ts': '' });
    symlinkSync('..', path.join(root, 'up'));
    await expect(env.glob('../*', '.')).rejects.toMatchObject({ code: 'invalid_pattern' });
    await expect(env.glob('{..,.}/*', '.')).rejects.toMatchObject({ code: 'invalid_pattern' });
    expect(await env.glob('**/*.ts', '.')).toEqual(['a.ts']);
  });
});

describe('the environment', () => {
  it('names its place and refuses a folder that is not there', async () => {
    const { root, env } = world();
    await env.initialize();
    expect([env.workingDirectory(), env.platform()]).toEqual([root, process.platform]);
    await expect(createLocalExecutionEnvironment(path.join(root, 'gone')).initialize()).rejects.toMatchObject({
      code: 'not_a_directory',
    });
  });

  it('sees a file grow between reads', async () => {
    const { root, env } = world({ 'a.txt': 'one\n' });
    appendFileSync(path.join(root, 'a.txt'), 'two\n');
    expect(await env.readFile('a.txt', 1)).toBe('     2\ttwo');
  });
});
