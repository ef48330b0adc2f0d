import { linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Agent, AgentRunOptions } from '../agent.ts';
import { describeAgent } from './agent-contract.ts';
import { makeRun } from './world.ts';

/**
 * How the program of an adapter behaves, in the words of the suite. `works`, `fails` and `hangs` as for every agent. `crashes`: ends in the
 * middle of its turn. `floods`: says twelve million characters, then works. `drifts`: writes lines that are no messages, and one of a kind
 * that nobody knows, then works. `silent`: says nothing at all. `asks`: asks a person which colour, and tells what they said. `limited`, `loggedOut`: its provider lets it work no more. `environment`: says the names of its variables,
 * then works. `escapes`: wants to change each file that targets.txt names, and says for each whether it may. `listens`: says "I listen.", waits for
 * two messages of a person, and says both. Called for a further input, a program that remembers says "I remember."
 */
export type ForeignBehaviour =
  | 'works'
  | 'fails'
  | 'hangs'
  | 'crashes'
  | 'floods'
  | 'drifts'
  | 'silent'
  | 'asks'
  | 'limited'
  | 'loggedOut'
  | 'environment'
  | 'escapes'
  | 'listens';

/** What every adapter of a foreign program satisfies, besides what every agent does. */
export function describeForeignAgent(name: string, make: Make): void {
  describeAgent(name, {
    works: async () => make('works'),
    fails: async () => make('fails'),
    hangs: async () => make('hangs'),
  });

  describe(`${name} as a foreign agent`, () => {
    itIsContinued(make);
    itIsHeldBack(make);
    itStaysInside(make);
    if (make('listens').steer !== undefined) itListens(make);
    itEnds(make);
  });
}

type Make = (behaviour: ForeignBehaviour) => Agent;

function itIsContinued(make: Make): void {
  it('streams its text, names its tools, and has its conversation continued where it was', async () => {
    const { options, heard } = await makeRun();
    const pids: number[] = [];
    const agent = make('works');
    const first = await agent.run({ ...options, onPidAssigned: (pid) => void pids.push(pid) });
    expect(heard.deltas).toContainEqual({ kind: 'text_delta', text: `I was asked: ${options.prompt}` });
    expect(heard.messages.flatMap((message) => (message.kind === 'tool_call' ? [message.toolName] : []))).toContain(
      'Bash',
    );
    expect(pids).toHaveLength(1);
    const second = await agent.say?.({ ...options, prompt: 'Once more.', inputKey: 'again' });
    expect(second).toMatchObject({ exitCode: 0, finalText: 'I remember.' });
    expect(second?.outcome).toBeUndefined();
    expect(second?.tokenUsage.inputTokens).toBeGreaterThanOrEqual(first.tokenUsage.inputTokens);
    expect(new Set(heard.messages.map(({ key }) => key)).size).toBeGreaterThan(5);
  });

  it('whose conversation is lost is told anew what was asked and done', async () => {
    const { options, heard } = await makeRun();
    const agent = make('works');
    await agent.run(options);
    rmSync(join(options.statePath, 'home'), { recursive: true });
    const again = await agent.say?.({ ...options, prompt: 'Once more.', inputKey: 'again' });
    expect(again).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    expect(noticesOf(heard.messages)).toContain('It is told anew what was asked and done.');
    expect(
      heard.messages.some((message) => message.kind === 'text' && message.text.includes('# What happened since')),
    ).toBe(true);
  });
}

function itIsHeldBack(make: Make): void {
  it('does not do what a person refuses, and asks nobody about what is known to be harmless', async () => {
    const asked: string[] = [];
    const { options, heard } = await makeRun({
      approve: async ({ toolName, input }) => {
        asked.push(`${toolName} ${String(input['command'])}`);
        return { decision: 'reject', message: 'Not that.' };
      },
    });
    expect(await make('works').run(options)).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    expect(asked).toEqual(['Bash npm publish']);
    const results = heard.messages.filter((message) => message.kind === 'tool_result');
    expect(results.map(({ isError }) => isError)).toEqual(expect.arrayContaining([false, true]));
    expect(readFileSync(join(options.projectPath, 'greeting.txt'), 'utf8')).toBe('good-bye\n');
  });

  it('asks a person through the run, and hears what they said', async () => {
    const { options, heard } = await makeRun({
      approve: async ({ toolName, input }) =>
        toolName === 'ask_human' && input['question'] === 'Which colour?'
          ? { decision: 'approve', input: { ...input, answer: 'Blue, please.' } }
          : { decision: 'approve' },
    });
    expect(await make('asks').run(options)).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    const texts = heard.messages.flatMap((message) => (message.kind === 'text' ? [message.text] : []));
    expect(texts.find((text) => text.startsWith('They said: '))).toContain('Blue, please.');
  });

  it('can be stopped in any state: before it starts, before it answers, while it floods, while a person is asked', async () => {
    const stopped = async (behaviour: ForeignBehaviour, when: (stop: () => void) => Partial<AgentRunOptions>) => {
      const stop = new AbortController();
      const { options } = await makeRun({ ...when(() => stop.abort('user_cancelled')), abortSignal: stop.signal });
      expect([behaviour, (await make(behaviour).run(options)).error]).toMatchObject([behaviour, { code: 'stopped' }]);
    };
    const whenAsked =
      (about: string) =>
      (stop: () => void): Partial<AgentRunOptions> => ({
        approve: async ({ toolName }) => {
          if (toolName !== about) return { decision: 'approve' };
          stop();
          return new Promise(() => undefined);
        },
      });
    await Promise.all([
      stopped('works', (stop) => {
        stop();
        return {};
      }),
      stopped('silent', (stop) => ({ onPidAssigned: stop })),
      stopped('floods', (stop) => ({ onDelta: stop })),
      stopped('works', whenAsked('Bash')),
      stopped('asks', whenAsked('ask_human')),
    ]);
  });
}

/** Every way out that a path alone can be; each list of paths is the guard's own test. */
const OUTSIDE = ['/etc/passwd', '../out.txt', 'link/passwd', '~/.profile', '.git/hooks/pre-commit', 'second.txt'];

function itStaysInside(make: Make): void {
  it('changes nothing outside its folder, and nobody is asked about it', async () => {
    const { options, heard } = await makeRun();
    const within = (name: string): string => join(options.projectPath, name);
    symlinkSync('/etc', within('link'));
    linkSync(within('greeting.txt'), within('second.txt'));
    writeFileSync(within('targets.txt'), [...OUTSIDE, 'new.txt'].join('\n'));
    await make('escapes').run(options);
    const texts = heard.messages.flatMap((message) => (message.kind === 'text' ? [message.text] : []));
    expect(texts).toContain(JSON.stringify([...OUTSIDE.map(() => false), true]));
    expect(heard.asked).toEqual([]);
  });
}

function itListens(make: Make): void {
  it('hears in its turn what people say, each message once, and tells so again when it is called again', async () => {
    const [first, second] = [
      { key: 'msg_1', text: 'Mind the gap.' },
      { key: 'msg_2', text: 'And the step.' },
    ];
    const taken: string[] = [];
    const agent = make('listens');
    const { options, heard } = await makeRun({ messages: [first], onTaken: (key) => void taken.push(key) });
    const onMessage: AgentRunOptions['onMessage'] = (message) => {
      options.onMessage(message);
      if (message.kind !== 'text' || message.text !== 'I listen.') return;
      for (const said of [first, second, second]) agent.steer?.(options.runId, said);
    };
    expect(await agent.run({ ...options, onMessage })).toMatchObject({ exitCode: 0 });
    const texts = heard.messages.flatMap((message) => (message.kind === 'text' ? [message.text] : []));
    expect(texts.at(-1)).toBe(`${first.text} ${second.text}`);
    expect(taken).toEqual(['msg_1', 'msg_2']);
    await agent.run(options);
    expect(taken).toEqual(['msg_1', 'msg_2', 'msg_1', 'msg_2']);
  });
}

function itEnds(make: Make): void {
  it('that crashes, meets a limit, is logged out or never answers ends its run, with one line that says so', async () => {
    const ended = async (behaviour: ForeignBehaviour) => (await make(behaviour).run((await makeRun()).options)).error;
    const crashed = await ended('crashes');
    expect(crashed).toMatchObject({ code: 'exit', message: expect.stringContaining('ended with exit code 9') });
    expect(await ended('limited')).toMatchObject({ code: 'rate_limit', retryable: true });
    const loggedOut = await ended('loggedOut');
    expect(loggedOut).toMatchObject({ code: 'authentication', retryable: false });
    expect(loggedOut?.message).not.toContain('\n');
    const silent = await ended('silent');
    expect(silent).toMatchObject({ code: 'no_answer', retryable: true });
    expect(silent?.message).toMatch(/did not answer within [\d.]+ seconds of its start\. Start it in a terminal/);
  });

  it('that says too much, or what nobody knows, is heard to its end', async () => {
    const flood = await makeRun();
    expect(await make('floods').run(flood.options)).toMatchObject({ outcome: 'pr_ready' });
    expect(JSON.stringify(flood.heard.messages).length).toBeLessThan(10 << 20);
    expect(noticesOf(flood.heard.messages)).toContain('There is more output than is shown');
    const drift = await makeRun();
    expect(await make('drifts').run(drift.options)).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    expect(noticesOf(drift.heard.messages)).toContain('not JSON at all');
    expect(noticesOf(drift.heard.messages)).toMatch(/from.the.future/);
  });

  it('sees none of the variables of the host but the harmless ones and those that it names', async () => {
    const { options, heard } = await makeRun();
    await make('environment').run(options);
    const texts = heard.messages.flatMap((message) => (message.kind === 'text' ? [message.text] : []));
    const names = texts.find((text) => text.includes('HOME')) ?? '';
    expect(names.split(' ')).toContain('PATH');
    expect(names).not.toContain('HOST_SECRET');
  });

  it('in a folder that is not there fails in one line', async () => {
    const { options } = await makeRun();
    const result = await make('works').run({ ...options, projectPath: join(options.projectPath, 'none') });
    expect(result).toMatchObject({ exitCode: 1, error: { code: 'not_started', message: expect.any(String) } });
  });
}

function noticesOf(messages: ReadonlyArray<{ readonly kind: string; readonly text?: string }>): string {
  return messages.flatMap(({ kind, text }) => (kind === 'notice' ? [text ?? ''] : [])).join('\n');
}
