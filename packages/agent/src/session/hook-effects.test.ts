import path from 'node:path';
import { makeFolder, until } from '@attractor/base/testing';
import type { Request } from '@attractor/llm';
import { createMemoryJournal } from '@attractor/journal';
import { createPolicy, parseRule } from '@attractor/policy';
import type { HookInput } from '@attractor/settings';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adds, on, walk } from '../test-support/hooked-session.ts';
import { settle } from '../test-support/session-world.ts';
import { hookedElicit } from '../open/hooked-elicit.ts';
import { call, createScriptedClient, failure, type Script } from '../testing/scripted-client.ts';
import { documentFields } from './hooked-documents.ts';
import { stopFailureOf } from './hook-failure.ts';
import { resumeSession } from './session.ts';

const said = (request: Request | undefined): string =>
  JSON.stringify(request?.messages.filter(({ role }) => role !== 'system'));
const bash = (line: string) => call('shell', { command: line });

describe('an answer that could be the end', () => {
  it('is not, where Stop adds a context: that goes on like an objection', async () => {
    let times = 0;
    const { session, client } = walk(
      [on('Stop', () => ((times += 1) === 1 ? adds('look at b.txt too') : undefined))],
      [{ text: 'done' }, { text: 'looked' }],
    );
    await session.submit('go');
    expect([times, client.requests.length]).toEqual([2, 2]);
    expect(said(client.requests[1])).toContain('look at b.txt too');
  });

  it('of an agent is not, where SubagentStop objects', async () => {
    const script: Script = (request) => {
      const text = said(request);
      if (text.includes('look around') && !text.includes('spawn_agent'))
        return { text: text.includes('not enough') ? 'all of it' : 'half of it' };
      if (!text.includes('at work')) return { calls: [call('spawn_agent', { id: 'kid', instruction: 'look around' })] };
      return text.includes('turnsUsed') ? { text: 'end' } : { calls: [call('wait', { id: 'kid' })] };
    };
    const objects = on('SubagentStop', ({ stop_hook_active: isActive }) =>
      isActive === false ? { decision: 'block', reason: 'not enough' } : undefined,
    );
    const { session, client } = walk([objects], script);
    await session.submit('use a child');
    expect(said(client.requests.at(-1))).toContain('all of it');
  });
});

it('PostToolBatch ends the work by an objection', async () => {
  const { session, client, events } = walk(
    [on('PostToolBatch', () => ({ decision: 'block', reason: 'enough' }))],
    [{ calls: [bash('true')] }, { text: 'never' }],
  );
  await session.submit('go');
  await settle();
  expect(client.requests).toHaveLength(1);
  expect(events.find(({ kind }) => kind === 'PROCESSING_END')).toMatchObject({
    reason: 'hook_stopped',
    message: 'enough',
  });
});

it('PostToolUse gets what a command itself printed, apart from our words about it', async () => {
  const told: unknown[] = [];
  const { session } = walk(
    [on('PostToolUse', ({ tool_response: response }) => void told.push(response))],
    [
      { calls: [bash('echo one; echo two; echo wrong >&2'), call('read_file', { file_path: 'a.txt' })] },
      { text: 'done' },
    ],
  );
  await session.submit('go');
  expect(told).toMatchObject([
    { stdout: 'one\ntwo', stderr: 'wrong', interrupted: false, is_error: false },
    { filePath: 'a.txt', success: true },
  ]);
});

it('PermissionDenied may say that a call can be tried once more', async () => {
  const root = makeFolder();
  const rule = parseRule('Bash(touch *)', 'deny', { scope: 'user', file: null, line: null, root });
  if (!rule.ok) throw new Error(rule.error.message);
  const policy = createPolicy({ rules: [rule.rule], mode: 'default', root, home: '/nowhere', sandboxed: false });
  const { session, client } = walk(
    [on('PermissionDenied', () => ({ hookSpecificOutput: { retry: true } }))],
    [{ calls: [bash('touch x')] }, { text: 'no' }],
    { policy },
  );
  await session.submit('go');
  expect(said(client.requests[1])).toMatch(/denied by the deny rule.*it may be tried once more/);
});

it('Notification tells of a question of the agent, and of one that a server puts to a person', async () => {
  const told: unknown[] = [];
  const options = ['A', 'B'].map((label) => ({ label, description: label }));
  const question = { question: 'Which?', header: 'Which', options };
  const { session, hooks } = walk(
    [
      on('Notification', ({ notification_type: type, message }) => void told.push([type, message])),
      on('Elicitation', ({ message }) => (message === 'Quiet?' ? { decision: 'block', reason: 'no' } : undefined)),
    ],
    [{ calls: [call('AskUserQuestion', { questions: [question] })] }, { text: 'A then.' }],
    { askUser: async () => ({ 'Which?': 'A' }) },
  );
  await session.submit('ask me');
  expect(told.splice(0)).toEqual([['agent_needs_input', 'Which?']]);
  const elicit = hookedElicit(
    async () => ({ action: 'decline' }),
    hooks,
    () => session,
  );
  const asking = { server: 's', mode: 'form', requestedSchema: {}, signal: new AbortController().signal } as const;
  for (const message of ['Quiet?', 'Loud?']) await elicit?.({ ...asking, message });
  await until(() => told.length === 2);
  expect(told).toEqual([
    ['elicitation_dialog', 'Loud?'],
    ['elicitation_response', 'Loud?'],
  ]);
});

it.each(['clear', 'fork'] as const)('SessionStart knows what a session comes from: %s', async (begunBy) => {
  const sources: unknown[] = [];
  const journal = createMemoryJournal();
  const definitions = [on('SessionStart', ({ source }) => void sources.push(source))];
  const first = walk(definitions, [{ text: 'one' }], { journal });
  await first.session.submit('hi');
  await first.session.close();
  const again = resumeSession({
    ...first.options,
    journal,
    client: createScriptedClient([{ text: 'two' }]),
    circumstances: { begunBy },
  });
  onTestFinished(() => again.close());
  await again.submit('hi again');
  expect(sources).toEqual(['startup', begunBy]);
});

it('PreCompact and PostCompact know that a compaction comes by itself', async () => {
  const told: unknown[] = [];
  const tell = ({ hook_event_name: event, trigger }: HookInput): void => void told.push([event, trigger]);
  const usage = { inputTokens: 19_900, outputTokens: 10, totalTokens: 19_910 };
  const { session } = walk(
    [on('PreCompact', tell), on('PostCompact', tell)],
    (request) =>
      JSON.stringify(request.messages).includes('You write the summary')
        ? { text: 'In short.' }
        : { text: 'One answer. '.repeat(3_000), usage },
    {
      compaction: {},
      config: { model: 'scripted', provider: 'scripted', contextWindowSize: 20_000, loopDetectionWindow: 0 },
    },
  );
  for (const input of ['x', 'y']) await session.submit(input);
  expect(told.slice(0, 2)).toEqual([
    ['PreCompact', 'auto'],
    ['PostCompact', 'auto'],
  ]);
});

it('an objection of ConfigChange is told: what changed counts later only', async () => {
  const file = path.join(makeFolder({ 'config.json': '{}' }), 'config.json');
  const { session, of } = walk(
    [on('ConfigChange', () => ({ decision: 'block', reason: 'not now' }))],
    [{ calls: [bash(`echo '{ }' > ${file}`)] }, { text: 'done' }],
    { settingFiles: [{ file, source: 'user_settings' }] },
  );
  await session.submit('go');
  await settle();
  expect(of('WARNING').map(({ message }) => message)).toEqual([
    `A hook objects to the change of ${file}: not now. It counts in later sessions only.`,
  ]);
});

it.each([
  ['rate_limit', 'rate_limit'],
  ['overloaded', 'overloaded'],
  ['authentication', 'authentication_failed'],
  ['access_denied', 'oauth_org_not_allowed'],
  ['quota_exceeded', 'billing_error'],
  ['invalid_request', 'invalid_request'],
  ['context_length', 'invalid_request'],
  ['not_found', 'model_not_found'],
  ['server', 'server_error'],
  ['network', 'unknown'],
])('a failure of the kind %s is %s to StopFailure', (code, error) => {
  expect(stopFailureOf(failure(code, 'in words'))).toEqual({ error, error_details: 'in words' });
});

it.each([
  [
    { file: '/h/.claude/CLAUDE.md', scope: 'user' },
    { memory_type: 'User', load_reason: 'session_start' },
  ],
  [
    { file: '/r/CLAUDE.local.md', scope: 'project' },
    { memory_type: 'Local', load_reason: 'session_start' },
  ],
  [
    { file: '/r/more.md', scope: 'project', parent: '/r/CLAUDE.md' },
    { memory_type: 'Project', load_reason: 'include', parent_file_path: '/r/CLAUDE.md' },
  ],
  [
    { file: '/r/sub/CLAUDE.md', scope: 'project', trigger: '/r/sub/a.ts' },
    { load_reason: 'nested_traversal', trigger_file_path: '/r/sub/a.ts' },
  ],
  [
    { file: '/r/.claude/rules/a.md', scope: 'project', trigger: '/r/a.ts', globs: ['*.ts'] },
    { load_reason: 'path_glob_match', globs: ['*.ts'], trigger_file_path: '/r/a.ts' },
  ],
] as const)('InstructionsLoaded is told why %j is read', (document, fields) => {
  expect(documentFields(document)).toEqual(expect.objectContaining({ file_path: document.file, ...fields }));
});
