import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { done } from '@attractor/base';
import { type DeliveredEvent, openSessions } from '@attractor/journal';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ExecuteOptions } from './execute-options.ts';
import { execute } from './executor.ts';
import type { Provider, ProviderFactory, ProviderHost, Response, ToolCall, ToolResult } from './provider.ts';

const SPEC = { name: 'A', systemPrompt: 'You act.', instructions: 'Act.', path: 'a.md', ignored: [] };

const says = (text: string): Response => ({ text, toolCalls: [], isComplete: true });
const write = (id: string): ToolCall => ({ id, name: 'file.write', input: { path: id, content: id } });
const asks = (...toolCalls: ReadonlyArray<ToolCall>): Response => ({ text: '', toolCalls, isComplete: false });

type Made = Partial<Provider> & Pick<Provider, 'sendMessage'>;

function provider(make: (host: ProviderHost) => Made): ProviderFactory {
  return {
    id: 'mine',
    open: (host) => ({
      createSession: async (agentSpec) => done({ id: 'ses_mine', provider: 'mine', agentSpec }),
      resumeSession: async (id) => done({ id, provider: 'mine', agentSpec: SPEC }),
      submitToolResults: () => Promise.reject(new Error('nothing was left to others')),
      ...make(host),
    }),
  };
}

function place() {
  const folder = mkdtempSync(path.join(tmpdir(), 'provider-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = mkdtempSync(path.join(folder, 'workspace-'));
  const events: DeliveredEvent[] = [];
  const options: Omit<ExecuteOptions, 'provider'> = {
    spec: SPEC,
    environment: createLocalExecutionEnvironment(workspace),
    sessions: openSessions({ home: path.join(folder, 'home') }),
    onEvent: (event) => void events.push(event),
  };
  return { options, workspace, events };
}

/** Those stored events that belong to the conversation. */
const spoken = (events: ReadonlyArray<DeliveredEvent>): ReadonlyArray<string> =>
  events
    .map(({ kind }) => kind)
    .filter((kind) => /^(?:USER_INPUT|ASSISTANT_MESSAGE|TOOL_CALL_(?:START|END))$/.test(kind));

describe('a provider that has its calls run by the host', () => {
  it('has each of them in the journal as a reply of its own, one after the other, and hears each result', async () => {
    const heard: ToolResult[] = [];
    const { options, workspace, events } = place();
    const outcome = await execute({
      ...options,
      provider: provider((host) => ({
        sendMessage: async () => {
          host.onProgress({ kind: 'ASSISTANT_TEXT_DELTA', text: 'I write.' });
          const own = { text: 'I write.', model: 'm' };
          heard.push(...(await Promise.all([host.runTool(write('a'), own), host.runTool(write('b'), own)])));
          return done({ ...says('Written.'), costUsd: 3 });
        },
        continueSession: () => Promise.reject(new Error('there was nothing to go on with')),
      })),
    });
    expect(outcome).toMatchObject({ ok: true, value: { text: 'Written.', turns: 1, costUsd: 3 } });
    expect(heard).toMatchObject(['a', 'b'].map((toolCallId) => ({ toolCallId, isError: false })));
    expect(readFileSync(path.join(workspace, 'b'), 'utf8')).toBe('b');
    const call = ['ASSISTANT_MESSAGE', 'TOOL_CALL_START', 'TOOL_CALL_END'];
    expect(spoken(events)).toEqual(['USER_INPUT', ...call, ...call, 'ASSISTANT_MESSAGE']);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'ASSISTANT_TEXT_DELTA', text: 'I write.' }));
  });

  it('is stopped with its calls, and goes on with the message when the session is resumed', async () => {
    const stopper = new AbortController();
    const { options, events } = place();
    const running = (host: ProviderHost): Made => ({
      sendMessage: async () => {
        const [first, second] = ['a', 'b'].map((id) => host.runTool(write(id), { text: '', model: 'm' }));
        await first;
        stopper.abort();
        return done(says(`${(await second)?.output}`));
      },
      continueSession: async (_session, message) => done(says(`On with: ${message}`)),
    });
    const first = await execute({ ...options, provider: provider(running), signal: stopper.signal });
    expect(first).toMatchObject({ ok: false, error: { code: 'interrupted' } });
    const second = await execute({ ...options, provider: provider(running), sessionId: 'ses_mine' });
    expect(second).toMatchObject({ ok: true, value: { text: 'On with: Act.' } });
    expect(spoken(events).filter((kind) => kind === 'USER_INPUT')).toHaveLength(1);
  });

  it('gets no answer to a call before there is a conversation', async () => {
    const { options } = place();
    const early: ToolResult[] = [];
    await execute({
      ...options,
      provider: provider((host) => ({
        createSession: async (agentSpec) => {
          early.push(await host.runTool(write('a'), { text: '', model: 'm' }));
          return done({ id: 'ses_mine', provider: 'mine', agentSpec });
        },
        sendMessage: async () => done(says('Well.')),
      })),
    });
    expect(early).toMatchObject([{ toolCallId: 'a', isError: true }]);
  });
});

describe('a provider that leaves its calls to the executor', () => {
  it('hears of them under the ids that it gave, also if it gives one twice', async () => {
    const { options } = place();
    const heard: string[] = [];
    const answers = [asks(write('1')), says('Both.')];
    const outcome = await execute({
      ...options,
      provider: provider(() => ({
        sendMessage: async () => done(asks(write('1'))),
        submitToolResults: async (_session, results) => {
          heard.push(...results.map(({ toolCallId }) => toolCallId));
          return done(answers.shift() ?? says('Enough.'));
        },
      })),
    });
    expect(outcome).toMatchObject({ ok: true, value: { text: 'Both.', turns: 3 } });
    expect(heard).toEqual(['1', '1']);
  });

  it('may be done without a word, and is asked once', async () => {
    const { options, events } = place();
    let asked = 0;
    const quiet = provider(() => ({
      sendMessage: async () => {
        asked++;
        return done(says(''));
      },
    }));
    expect(await execute({ ...options, provider: quiet })).toMatchObject({ ok: true, value: { text: '', turns: 1 } });
    expect([asked, spoken(events)]).toEqual([1, ['USER_INPUT', 'ASSISTANT_MESSAGE']]);
  });

  it('is not asked again when it fails in the middle of its words', async () => {
    const { options } = place();
    let asked = 0;
    const error = { code: 'NetworkError' as const, message: 'The line broke: try again.', retryable: true };
    const breaking = provider((host) => ({
      sendMessage: async () => {
        asked++;
        host.onProgress({ kind: 'ASSISTANT_TEXT_START' });
        host.onProgress({ kind: 'ASSISTANT_TEXT_DELTA', text: 'I was go' });
        return { ok: false, error };
      },
    }));
    expect(await execute({ ...options, provider: breaking })).toMatchObject({ ok: false, error });
    expect(asked).toBe(1);
  });

  it('hears in JSON of arguments that are none', async () => {
    const { options } = place();
    const outputs: string[] = [];
    const call = { ...write('1'), input: {}, inputError: 'it ends too early' };
    await execute({
      ...options,
      provider: provider(() => ({
        sendMessage: async () => done(asks(call)),
        submitToolResults: async (_session, results) => {
          outputs.push(...results.map(({ output }) => output));
          return done(says('I see.'));
        },
      })),
    });
    expect(outputs.map((output) => JSON.parse(output))).toMatchObject([
      { error: 'invalid_arguments', message: expect.stringContaining('it ends too early') },
    ]);
  });
});
