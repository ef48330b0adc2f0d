import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { createRedactor } from '@attractor/redact';
import { type DeliveredEvent, openSessions, type SessionEvent } from '@attractor/journal';
import { runGit } from '@attractor/git';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ExecuteOptions } from './execute-options.ts';
import { execute } from './executor.ts';
import type { Provider, ProviderFactory, ProviderResult, Response, ToolResult } from './provider.ts';
import type { CanUse } from './run-call.ts';
import type { AgentSpec } from './spec/agent-spec.ts';

const SPEC: AgentSpec = { name: 'A', systemPrompt: 'You act.', instructions: 'Act.', path: 'a.md', ignored: [] };

type Answer = Response | (() => Promise<ProviderResult<Response>>);

const says = (text: string): Response => ({ text, toolCalls: [], isComplete: true });
const asks = (...calls: ReadonlyArray<readonly [string, string, object]>): Response => ({
  text: '',
  isComplete: false,
  toolCalls: calls.map(([id, name, input]) => ({ id, name, input: { ...input } })),
});

/** A provider that gives these answers in turn and records what it was sent. */
function scripted(
  answers: ReadonlyArray<Answer>,
): ProviderFactory & { readonly heard: Array<string | ReadonlyArray<ToolResult>> } {
  const heard: Array<string | ReadonlyArray<ToolResult>> = [];
  const next = async (): Promise<ProviderResult<Response>> => {
    const answer = answers[heard.length - 1];
    if (answer === undefined) throw new Error('nothing is left to say');
    return typeof answer === 'function' ? answer() : { ok: true, value: answer };
  };
  const open = (): Provider => ({
    createSession: async (agentSpec) => ({ ok: true, value: { id: 'ses_test', provider: 'scripted', agentSpec } }),
    resumeSession: async (id) => ({ ok: true, value: { id, provider: 'scripted', agentSpec: SPEC } }),
    sendMessage: (_session, message) => {
      heard.push(message);
      return next();
    },
    submitToolResults: (_session, results) => {
      heard.push(results);
      return next();
    },
  });
  return { id: 'scripted', open, heard };
}

function makeOptions(
  provider: ProviderFactory,
): ExecuteOptions & { readonly workspace: string; readonly events: DeliveredEvent[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'executor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = mkdtempSync(path.join(folder, 'workspace-'));
  const events: DeliveredEvent[] = [];
  return {
    spec: SPEC,
    environment: createLocalExecutionEnvironment(workspace),
    provider,
    sessions: openSessions({ home: path.join(folder, 'home') }),
    onEvent: (event) => void events.push(event),
    workspace,
    events,
  };
}

const writes = (id: string, args: Readonly<Record<string, unknown>>) => {
  return { kind: 'TOOL_CALL' as const, toolCallId: id, toolName: 'file_write', args };
};
const OLDER_USAGE = { inputTokens: 7, outputTokens: 2, totalTokens: 9 };

/** A conversation as earlier versions of the executor wrote it, when it had its own loop. The second call had not started. */
const OLDER_EVENTS: ReadonlyArray<SessionEvent> = [
  { kind: 'SESSION_START', sessionId: 'ses_test' },
  { kind: 'SYSTEM_PROMPT', content: 'You act.' },
  { kind: 'USER_INPUT', content: 'Act.' },
  {
    kind: 'ASSISTANT_MESSAGE',
    content: [writes('a', { path: 'a', content: '1' }), writes('b', { path: 'b', content: '2' })],
    usage: OLDER_USAGE,
    responseId: 'msg_1',
    model: 'm',
  },
  { kind: 'TOOL_CALL_START', toolCallId: 'a', toolName: 'file.write', args: {}, readOnly: false },
  { kind: 'TOOL_CALL_END', toolCallId: 'a', toolName: 'file.write', output: '{"success":true}', isError: false },
  { kind: 'TURN_LIMIT', reason: 'max_turns' },
  { kind: 'SESSION_END', sessionId: 'ses_test', reason: 'closed' },
];

/** For JSON, which leaves out an error's message. */
function withErrors(_name: string, value: unknown): unknown {
  return value instanceof Error ? [value.message, value.stack, Object.entries(value)] : value;
}

describe('the executor', () => {
  it('criterion 2: knows of providers only the port', () => {
    const files = ['executor', 'open-run', 'agent-profile', 'run-call', 'provider-client', 'lower-reply', 'provider'];
    const source = [...files, 'check-response']
      .map((file) => readFileSync(path.join(import.meta.dirname, `${file}.ts`), 'utf8'))
      .join('\n');
    expect(source).not.toMatch(/from '\.\/providers\/|claude|anthropic/i);
  });

  it('runs each call once, in order, and hands back one result for each', async () => {
    const provider = scripted([
      asks(
        ['1', 'file.write', { path: 'a', content: 'x' }],
        ['2', 'file_read', { path: 'a' }],
        ['3', 'file.read', { path: 'b' }],
      ),
      says('Done.'),
    ]);
    const options = makeOptions(provider);
    const outcome = await execute(options);
    expect(outcome).toMatchObject({ ok: true, value: { text: 'Done.', sessionId: 'ses_test', turns: 2 } });
    expect(provider.heard[1]).toMatchObject([
      { toolCallId: '1', isError: false },
      { toolCallId: '2', isError: false, output: expect.stringContaining('1\\tx') },
      { toolCallId: '3', isError: true, output: expect.stringContaining('file_not_found') },
    ]);
    const kinds = options.events.map(({ kind }) => kind);
    expect(kinds.indexOf('TOOL_CALL_START')).toBeGreaterThan(kinds.indexOf('ASSISTANT_MESSAGE'));
    expect(kinds.at(-1)).toBe('SESSION_END');
    expect(readFileSync(path.join(options.workspace, '.session'), 'utf8')).toBe('ses_test');
  });

  it('asks before a tool runs, and tells the agent why it may not', async () => {
    const provider = scripted([asks(['1', 'file.write', { path: 'a', content: 'x' }]), says('So be it.')]);
    const asked: unknown[] = [];
    const outcome = await execute({
      ...makeOptions(provider),
      canUse: async ({ signal: _signal, ...call }) => {
        asked.push(call);
        return { allowed: false, reason: 'not on Sundays' };
      },
    });
    expect(outcome.ok).toBe(true);
    expect(asked).toEqual([{ id: '1', name: 'file.write', input: { path: 'a', content: 'x' }, readOnly: false }]);
    expect(provider.heard[1]).toMatchObject([
      { isError: true, output: '{"error":"denied","message":"not on Sundays"}' },
    ]);
  });

  it('does not write a mask back over the secret that it hides', async () => {
    const write = { path: 'a', content: 'key=[redacted:github-token]' };
    const provider = scripted([asks(['1', 'file.write', write]), says('I see.')]);
    const options = makeOptions(provider);
    await execute(options);
    expect(provider.heard[1]).toMatchObject([{ isError: true, output: expect.stringContaining('mask') }]);
  });

  it.each([
    ['that it was not given', { tools: ['file.read'] }],
    ['that would change something where it only plans', { permissionMode: 'plan' }],
  ] as const)('runs no tool %s, and asks nobody about it', async (_what, limits) => {
    const provider = scripted([
      asks(['1', 'file.write', { path: 'a', content: 'x' }], ['2', 'file.delete', { path: 'kept' }]),
      says('I see.'),
    ]);
    const asked: string[] = [];
    const options = makeOptions(provider);
    writeFileSync(path.join(options.workspace, 'kept'), '');
    const canUse: CanUse = async ({ name }) => {
      asked.push(name);
      return { allowed: true };
    };
    await execute({ ...options, canUse, spec: { ...SPEC, ...limits } });
    expect(provider.heard[1]).toMatchObject(
      ['file.write', 'file.delete'].map((name) => ({ output: expect.stringContaining(`no tool ${name}`) })),
    );
    expect(readdirSync(options.workspace).toSorted()).toEqual(['.session', 'kept']);
    expect(asked).toEqual([]);
  });

  it("has none of the session's own tools, and asks no person", async () => {
    const names = ['AskUserQuestion', 'Bash', 'Agent', 'spawn_agent', 'recall'];
    const args = { questions: [{ question: 'May I?' }], command: 'touch made', task: 'Touch it.' };
    const provider = scripted([asks(...names.map((name) => [name, name, args] as const)), says('I see.')]);
    const options = makeOptions(provider);
    expect(await execute(options)).toMatchObject({ ok: true, value: { text: 'I see.' } });
    expect(provider.heard[1]).toMatchObject(
      names.map((name) => ({ isError: true, output: expect.stringContaining(`no tool ${name}`) })),
    );
    expect(readdirSync(options.workspace)).toEqual(['.session']);
  });

  it('stores, shows and sends no secret: of replies, arguments, results, parameters and failures', async () => {
    const [known, shaped] = ['correct horse battery 4711', `ghp_${'A1b2C3d4'.repeat(4)}9xYz`];
    const both = `${known} and ${shaped}`;
    const provider = scripted([
      { ...asks(['1', 'file.read', { path: 'notes.txt' }], ['2', 'file.read', { path: both }]), text: both },
      async () => ({ ok: false, error: { code: 'NetworkError', message: both, retryable: false } }),
    ]);
    const options = makeOptions(provider);
    writeFileSync(path.join(options.workspace, 'notes.txt'), both);
    const redactor = createRedactor({ secrets: [known] });
    const outcome = await execute({ ...options, redactor, parameters: { note: both } });
    const opened = options.sessions.open('ses_test');
    if (!opened.ok) throw new Error(opened.error.message);
    const stored = JSON.stringify([outcome, opened.value.journal.read(), options.events, provider.heard], withErrors);
    opened.value.journal.close();
    expect(stored.match(/\[redacted:/g)?.length).toBeGreaterThan(10);
    for (const secret of [known, shaped]) expect(stored).not.toContain(secret);
  });

  it('goes on with no session of another provider', async () => {
    const options = makeOptions(scripted([says('hello')]));
    expect(await execute(options)).toMatchObject({ ok: true });
    const other = { ...scripted([says('hello')]), id: 'another' };
    const outcome = await execute({ ...options, provider: other, sessionId: 'ses_test' });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'session_of_other_provider' } });
    expect(other.heard).toEqual([]);
  });

  it('leaves what a link in the repository leads to as it is', async () => {
    const options = makeOptions(scripted([says('hello')]));
    const outside = path.join(path.dirname(options.workspace), 'outside');
    writeFileSync(outside, 'theirs\n');
    await runGit(['init', '-q'], { cwd: options.workspace });
    mkdirSync(path.join(options.workspace, '.git/info'), { recursive: true });
    symlinkSync(outside, path.join(options.workspace, '.git/info/exclude'));
    expect(await execute(options)).toMatchObject({ ok: false, error: { code: 'workspace' } });
    expect(readFileSync(outside, 'utf8')).toBe('theirs\n');
  });

  it('a tool that breaks is an error result, not the end', async () => {
    const provider = scripted([asks(['1', 'file.list', {}]), says('Pity.')]);
    const tools = { run: () => Promise.reject(new Error('the disk is on fire')) };
    expect(await execute({ ...makeOptions(provider), tools })).toMatchObject({ ok: true });
    expect(provider.heard[1]).toMatchObject([
      { isError: true, output: expect.stringContaining('the disk is on fire') },
    ]);
  });

  it.each<[string, Answer]>([
    ['throws', () => Promise.reject(new Error('boom at line 1'))],
    ['is complete and has calls', { ...asks(['1', 'file.list', {}]), isComplete: true }],
    ['is neither complete nor has calls', { text: '', toolCalls: [], isComplete: false }],
    ['has two calls of one id', asks(['1', 'file.list', {}], ['1', 'file.list', {}])],
  ])('a provider whose answer %s is reported plainly and logged in detail', async (_what, answer) => {
    const options = makeOptions(scripted([answer]));
    const outcome = await execute(options);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'InvalidResponseError', sessionId: 'ses_test' } });
    expect(!outcome.ok && outcome.error.message).toMatch(/details are in the journal/);
    expect(options.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['WARNING', 'ERROR', 'SESSION_END']));
  });

  it("a provider's failure is handed on, and the message is sent again when the session is resumed", async () => {
    const failure = { code: 'NetworkError' as const, message: 'No network: plug it in.', retryable: true };
    const first = makeOptions(scripted([async () => ({ ok: false, error: failure })]));
    expect(await execute(first)).toMatchObject({ ok: false, error: failure });
    const again = scripted([says('Here.')]);
    const outcome = await execute({ ...first, provider: again, sessionId: 'ses_test' });
    expect(outcome).toMatchObject({ ok: true, value: { text: 'Here.' } });
    expect(again.heard).toEqual(['Act.']);
  });

  it('stopped between two calls, it leaves the second for whoever resumes', async () => {
    const stopper = new AbortController();
    const calls = asks(
      ['1', 'file.write', { path: 'a', content: '1' }],
      ['2', 'file.write', { path: 'b', content: '2' }],
    );
    const options = makeOptions(scripted([calls]));
    const stopAfterFirst = (event: DeliveredEvent): void => {
      if (event.kind === 'TOOL_CALL_END') stopper.abort();
    };
    const outcome = await execute({ ...options, signal: stopper.signal, onEvent: stopAfterFirst });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'interrupted' } });
    writeFileSync(path.join(options.workspace, 'a'), 'by hand');
    const again = scripted([says('Both.')]);
    expect(await execute({ ...options, provider: again, sessionId: 'ses_test' })).toMatchObject({ ok: true });
    expect(again.heard[0]).toMatchObject([{ toolCallId: '1' }, { toolCallId: '2', isError: false }]);
    expect(readFileSync(path.join(options.workspace, 'a'), 'utf8')).toBe('by hand');
    expect(readFileSync(path.join(options.workspace, 'b'), 'utf8')).toBe('2');
  });

  it('goes on with a session that the version before left at its limit', async () => {
    const provider = scripted([says('Both are there.')]);
    const options = makeOptions(provider);
    const held = options.sessions.create({ cwd: options.workspace, provider: 'scripted', sessionId: 'ses_test' });
    if (!held.ok) throw new Error(held.error.message);
    for (const [index, event] of OLDER_EVENTS.entries())
      held.value.journal.append({ ...event, seq: index + 1, at: new Date(0).toISOString(), sessionId: 'ses_test' });
    held.value.journal.close();
    expect(await execute({ ...options, sessionId: 'ses_test' })).toMatchObject({
      ok: true,
      value: { text: 'Both are there.', turns: 1, usage: { inputTokens: 7 } },
    });
    expect(provider.heard).toMatchObject([
      [
        { toolCallId: 'a', output: '{"success":true}' },
        { toolCallId: 'b', isError: false },
      ],
    ]);
    expect(readFileSync(path.join(options.workspace, 'b'), 'utf8')).toBe('2');
  });

  it('what was left unfinished comes first, and then the new parameters', async () => {
    const options = makeOptions(scripted([asks(['1', 'file.list', {}])]));
    expect(await execute({ ...options, maxTurns: 1 })).toMatchObject({ ok: false, error: { code: 'max_turns' } });
    const again = scripted([says('Finished.'), says('And this.')]);
    const outcome = await execute({ ...options, provider: again, sessionId: 'ses_test', parameters: { NEXT: 'b' } });
    expect(outcome).toMatchObject({ ok: true, value: { text: 'And this.' } });
    expect(again.heard[0]).toMatchObject([{ toolCallId: '1' }]);
    expect(again.heard[1]).toContain('"NEXT": "b"');
  });
});
