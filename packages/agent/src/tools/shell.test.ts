import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defined } from '@attractor/base';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { makeFolder } from '@attractor/base/testing';
import type { ExecOptions, ExecutionEnvironment } from '../types/index.ts';
import { createShellTool, shellExecutor } from './shell.ts';

const run = async (command: string): Promise<string> => {
  const answer = await shellExecutor()({ command }, createLocalExecutionEnvironment(makeFolder()));
  return typeof answer === 'string' ? answer : answer.output;
};

describe('what a model sees of a command', () => {
  it('is valid text without anything that steers a terminal', async () => {
    const output = await run(
      String.raw`printf 'caf\xc3\xa9 \e[1;31mred\e[0m \e]8;;http://x\e\\link\e]8;;\e\\ \e]0;title\a\eP1$r\e\\end\a\n\xff!\n'`,
    );
    expect(output).toMatch(/^café red link end\n\ufffd!\n\[exit code 0/);
    expect(output).not.toMatch(/[\u0000-\u0008\u000e-\u001f]/);
  });

  it.each([
    ['random bytes', 'head -c 100000 /dev/urandom'],
    ['zeros', 'head -c 5000 /dev/zero'],
    ['a program', 'cat /bin/true'],
  ])('of %s is how many there were', async (_, command) => {
    expect(await run(command)).toMatch(/^\[binary output, not shown: about \d+ bytes\]\n\[exit code 0/);
  });

  it('of a list whose names end with a zero byte is one name a line, and a few odd bytes leave the text', async () => {
    expect(await run(String.raw`printf 'a.ts\0b.ts\0c d.ts\0'`)).toMatch(/^a\.ts\nb\.ts\nc d\.ts\n\[exit code 0/);
    expect(await run(String.raw`printf 'text before \377\376\000 text after'`)).toMatch(
      /^text before \ufffd\ufffd\n text after\n\[exit code 0/,
    );
  });

  it('of coloured text, progress bars and a stray byte is the text', async () => {
    const output = await run(
      String.raw`for i in $(seq 300); do printf '\e[32mok\e[0m %d\r\n' $i; done; printf '\x00'; printf '10%%\r100%%\n'`,
    );
    expect(output.split('\n').slice(0, 2)).toEqual(['ok 1', 'ok 2']);
    expect(output).toContain('100%');
  });
});

describe('a command', () => {
  it('is run as the head of a process group of its own (AC4.3)', async () => {
    const [first = '', second = ''] = await Promise.all(
      [1, 2].map(() => run('echo $$ $(cut -d" " -f5 /proc/$$/stat)')),
    );
    const [[pid, group], [, other]] = [first.split(/\s/), second.split(/\s/)];
    expect(group).toBe(pid);
    expect(group).not.toBe(other);
    const ours = readFileSync('/proc/self/stat', 'utf8').split(' ')[4];
    expect([group, other]).not.toContain(ours);
  });
});

describe('how long a command took', () => {
  it('is in its result and in what the model sees of it (AC4.3)', async () => {
    const env = createLocalExecutionEnvironment(makeFolder());
    const { durationMs } = await env.execCommand('sleep 0.3');
    const [, told] = /, (\d+) ms\]$/.exec(await run('sleep 0.3')) ?? [];
    for (const duration of [durationMs, Number(told)]) expect(duration).toBeGreaterThanOrEqual(290);
  });
});

describe('how long a command may take', () => {
  const asked = async (
    args: Record<string, unknown>,
    session?: number,
    profile?: number,
  ): Promise<number | undefined> => {
    const seen: (number | undefined)[] = [];
    const env: ExecutionEnvironment = {
      ...createLocalExecutionEnvironment(makeFolder()),
      execCommand: async (_: string, options?: number | ExecOptions) => {
        seen.push(typeof options === 'object' ? options.timeoutMs : options);
        return { stdout: '', stderr: '', exitCode: 0, timedOut: false, durationMs: 0 };
      },
    };
    const tool = createShellTool(defined({ defaultTimeoutMs: profile }));
    const context = { toolCallId: '1', ...defined({ commandTimeoutMs: session }) };
    await tool.executor({ command: 'true', ...args }, env, context);
    return seen[0];
  };

  it('says the call, else the session, else the profile, else the environment', async () => {
    expect(await asked({ timeout_ms: 1 }, 2, 3)).toBe(1);
    expect(await asked({}, 2, 3)).toBe(2);
    expect(await asked({}, undefined, 3)).toBe(3);
    expect(await asked({})).toBeUndefined();
  });
});
