import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { createMemoryJournal } from '@attractor/journal';
import { createPolicy, parseRule } from '@attractor/policy';
import { HOOK_EVENTS, type HookEventName, type HookInput, readAnswer } from '@attractor/settings';
import { installedPackages } from '@attractor/system/testing';
import { expect, it, onTestFinished, test } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createHooks } from '../hooks/hooks.ts';
import { hookedElicit } from '../open/hooked-elicit.ts';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { createNestedDocs, withNestedDocs } from '../prompts/nested-docs.ts';
import { countingTool } from '../test-support/session-world.ts';
import {
  NOT_GIVEN,
  NOT_OBEYED,
  PROVEN_ELSEWHERE,
  PUBLISHED_HOOK_FIELDS as PUBLISHED,
  publishedHookFields,
} from '../test-support/published-hooks.ts';
import { call, createScriptedClient, failure, type Script } from '../testing/scripted-client.ts';
import type { SessionOptions } from '../contract/session.ts';
import { createSession, resumeSession } from './session.ts';

const VERSION = '0.3.325';
const SDK = '@anthropic-ai/claude-agent-sdk';
const PLATFORM = `${process.platform}-${process.arch}`;
const found = await installedPackages([`${SDK}@${VERSION}`, `${SDK}-${PLATFORM}@${VERSION}`]);

test.skipIf('missing' in found)('the list of published fields is that of the types of the Claude Agent SDK', () => {
  const folder = 'folder' in found ? found.folder : '';
  const types = readFileSync(path.join(folder, 'node_modules', SDK, 'sdk.d.ts'), 'utf8');
  expect(publishedHookFields(types)).toEqual(PUBLISHED);
});

const EVENTS = Object.keys(HOOK_EVENTS) as ReadonlyArray<HookEventName>;

/** One conversation in which everything happens, with a hook for every event; what each was told. */
async function everythingTold(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const told = new Map<string, Set<string>>();
  const hear = (input: HookInput): void => {
    const event = String(input['hook_event_name']);
    const fields = Object.entries(input).filter(([, value]) => value !== undefined);
    for (const [field] of fields) told.set(event, (told.get(event) ?? new Set()).add(field));
    for (const [field] of fields) told.set('', (told.get('') ?? new Set()).add(field));
  };
  const root = makeFolder({
    'CLAUDE.md': 'Be brief.\n@more.md\n',
    'more.md': 'More.\n',
    '.claude/rules/text.md': '---\npaths: "**/*.txt"\n---\nMind the text.\n',
    'a.txt': 'alpha\n',
  });
  const environment = createLocalExecutionEnvironment(root);
  const titled = { hookSpecificOutput: { sessionTitle: 'A walk' } };
  const hooks = createHooks({
    environment,
    definitions: EVENTS.map((event) => ({
      event,
      ...(event === 'FileChanged' ? { matcher: 'made.txt' } : {}),
      handlers: [
        {
          kind: 'function',
          run: (input) => {
            hear(input);
            return event === 'SessionStart' ? titled : undefined;
          },
        },
      ],
    })),
  });
  onTestFinished(hooks.close);
  const settings = path.join(makeFolder({ 'config.json': '{}' }), 'config.json');
  const server = { ...countingTool('mcp__files__count'), server: { name: 'files', source: 'user' } };
  const failing = { ...countingTool('mcp__files__fail'), server: { name: 'files', source: 'user' } };
  const rule = (text: string, behavior: 'ask' | 'deny') => {
    const parsed = parseRule(text, behavior, { scope: 'user', file: null, line: null, root });
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.rule;
  };
  const rules = [rule('mcp__files__ask', 'ask'), rule('mcp__files__deny', 'deny')];
  const nested = createNestedDocs({ root, workingDirectory: root, fileNames: ['CLAUDE.md'] });
  const profile = withNestedDocs(createAnthropicProfile(), nested);
  for (const name of ['mcp__files__ask', 'mcp__files__deny'])
    profile.toolRegistry.register({ ...server, definition: { ...server.definition, name } });
  profile.toolRegistry.register(server);
  profile.toolRegistry.register({
    ...failing,
    executor: async () => ({ output: 'no', isError: true }),
  });
  const steps = [{ content: 'a', status: 'completed', activeForm: 'doing a' }];
  const script: Script = (request) => {
    const text = JSON.stringify(request.messages.filter(({ role }) => role !== 'system'));
    if (text.includes('break now')) return { error: failure('overloaded', 'busy') };
    if (text.includes('be a child') && !text.includes('all of it')) return { text: 'done' };
    if (!text.includes('all of it') || text.includes('/sub')) return { text: 'answered' };
    if (text.includes('TOOL_RESULT')) return { calls: [call('shell', { command: 'cd sub && pwd' })] };
    const line = `mkdir -p sub && echo x > made.txt && echo '{ }' > ${settings}`;
    return {
      calls: [
        call('read_file', { file_path: path.join(root, 'a.txt') }),
        call('TodoWrite', { todos: steps }),
        ...['count', 'fail', 'ask', 'deny'].map((name) => call(`mcp__files__${name}`, { n: 1 })),
        call('spawn_agent', { id: 'kid', instruction: 'be a child' }),
        call('shell', { command: line }),
      ],
    };
  };
  const journal = createMemoryJournal();
  const options: SessionOptions = {
    profile,
    environment,
    hooks,
    journal,
    client: createScriptedClient(script),
    config: { model: 'claude-sonnet-4-5', provider: 'anthropic', reasoningEffort: 'high' },
    policy: createPolicy({ rules, mode: 'bypassPermissions', root, home: '/nowhere', sandboxed: true }),
    approve: async () => ({ decision: 'approve' }),
    settingFiles: [{ file: settings, source: 'user_settings' }],
    setupTrigger: 'init',
    circumstances: {
      agentType: 'reviewer',
      background: () => [{ id: 'bash_1', status: 'running', command: 'sleep 9' }],
    },
    compaction: {},
  };
  const session = createSession(options);
  await session.submit('all of it');
  session.configure({ model: 'claude-opus-4-6', by: { source: 'command', asked: 'opus' } });
  await session.submit('/x y', {
    called: () => ({
      type: 'slash_command',
      name: 'x',
      arguments: 'y',
      source: 'user',
      expand: async () => 'x with y',
    }),
  });
  for (const input of ['word '.repeat(3_000), 'word '.repeat(3_001), '/compact names']) await session.submit(input);
  const elicit = hookedElicit(
    async () => ({ action: 'accept', content: { a: 'b' } }),
    hooks,
    () => session,
  );
  const asking = { server: 's', message: 'm', signal: new AbortController().signal };
  await elicit?.({ ...asking, mode: 'url', url: 'https://x.test/', id: 'e1' });
  await elicit?.({ ...asking, mode: 'form', requestedSchema: {} });
  await session.close();
  const again = resumeSession({ ...options, journal, client: createScriptedClient(script) });
  await again.submit('break now');
  await again.close();
  return told;
}

it('gives hooks every published field, or says why not', async () => {
  const told = await everythingTold();
  const missing = Object.entries(PUBLISHED.given).flatMap(([event, fields]) =>
    event in PROVEN_ELSEWHERE
      ? []
      : fields.filter((field) => told.get(event)?.has(field) !== true).map((field) => `${event}.${field}`),
  );
  expect(missing.toSorted()).toEqual(Object.keys(NOT_GIVEN).toSorted());
  expect(Object.keys(PUBLISHED.given).filter((event) => event !== '' && !(event in HOOK_EVENTS))).toEqual([]);
  for (const file of Object.values(PROVEN_ELSEWHERE)) expect(existsSync(path.join(REPOSITORY, file))).toBe(true);
});

const REPOSITORY = path.join(import.meta.dirname, '../../../..');

/** A value of each field that is not what its absence means. */
const VALUES: Readonly<Record<string, unknown>> = {
  action: 'decline',
  content: { a: 1 },
  continue: false,
  decision: 'block',
  displayContent: 'x',
  permissionDecision: 'deny',
  reloadSkills: true,
  retry: true,
  suppressOutput: true,
  terminalSequence: '\u0007',
  updatedInput: { a: 1 },
  watchPaths: ['/x'],
};

/** Fields that count only beside another one, or that ask for what is always so. */
const BESIDE: Readonly<Record<string, unknown>> = {
  content: { hookSpecificOutput: { action: 'accept' } },
  permissionDecisionReason: { hookSpecificOutput: { permissionDecision: 'deny' } },
  reason: { decision: 'block' },
  stopReason: { continue: false },
};

/** Read elsewhere: from the first line of a program, by `until-left.ts`. A refused prompt is never repeated. */
const ELSEWHERE = new Set(['async', 'asyncTimeout', 'hookSpecificOutput', 'suppressOriginalPrompt']);

it('takes every published field of an answer, or says why not', () => {
  const ignored = Object.entries(PUBLISHED.taken).flatMap(([event, fields]) =>
    fields.filter((field) => !ELSEWHERE.has(field) && !isTaken(event, field)).map((field) => `${event}.${field}`),
  );
  expect(ignored.toSorted()).toEqual(Object.keys(NOT_OBEYED).toSorted());
  for (const field of Object.keys(NOT_OBEYED).map((name) => name.split('.')[1] ?? '')) {
    const { unheeded = [] } = readAnswer({ hookSpecificOutput: { [field]: VALUES[field] ?? 'x' } });
    expect(unheeded).toEqual([expect.stringContaining(`"${field}" has no effect here: `)]);
  }
});

it('puts the words of blocks in place of an output, and what is no text as it is', () => {
  const instead = (updatedToolOutput: unknown) =>
    readAnswer({ hookSpecificOutput: { updatedToolOutput } }).updatedOutput;
  const blocks = ['one', 'two'].map((text) => ({ type: 'text', text }));
  expect(instead(blocks)).toBe('one\ntwo');
  expect(instead({ content: blocks })).toBe('one\ntwo');
  expect(instead({ a: 1 })).toBe('{"a":1}');
});

function isTaken(event: string, field: string): boolean {
  const value = event === 'PermissionRequest' ? { behavior: 'deny' } : (VALUES[field] ?? 'x');
  const beside = (BESIDE[field] ?? {}) as { readonly hookSpecificOutput?: object };
  const one =
    event === '' ? { [field]: value } : { hookSpecificOutput: { ...beside.hookSpecificOutput, [field]: value } };
  const { unheeded, ...rest } = readAnswer({ ...beside, ...one });
  return unheeded === undefined && JSON.stringify(rest) !== JSON.stringify(readAnswer({ ...beside }));
}

const PAGE = path.join(REPOSITORY, 'docs/hooks.md');
const [BEGIN, END] = ['<!-- fields: begin -->', '<!-- fields: end -->'];

/** Run with UPDATE_PAGES=1 it writes the table instead of comparing it. */
it('has all of them on the page about hooks', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [head = '', rest = ''] = page.split(BEGIN);
  const [table = '', tail = ''] = rest.split(END);
  const wanted = fieldsTable();
  if (process.env['UPDATE_PAGES'] === '1') writeFileSync(PAGE, `${head}${BEGIN}\n\n${wanted}\n\n${END}${tail}`);
  else expect(plain(table)).toEqual(plain(wanted));
});

function fieldsTable(): string {
  const cell = (names: ReadonlyArray<string>): string => names.map((name) => `\`${name}\``).join(', ') || '-';
  const rows = Object.keys(PUBLISHED.given).map((event) => {
    const given = (PUBLISHED.given[event] ?? []).filter((field) => !(`${event}.${field}` in NOT_GIVEN));
    const taken = (PUBLISHED.taken[event] ?? []).filter((field) => !(`${event}.${field}` in NOT_OBEYED));
    const not = Object.entries({ ...NOT_GIVEN, ...NOT_OBEYED }).filter(([name]) => name.startsWith(`${event}.`));
    const why = not.map(([name, reason]) => `\`${name.slice(event.length + 1)}\`: ${reason}`).join('; ') || '-';
    return `| ${event === '' ? 'every event' : event} | ${cell(given)} | ${cell(taken)} | ${why} |`;
  });
  return ['| event | is given | may answer | not here |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** Without the blanks that only align. */
function plain(text: string): ReadonlyArray<string> {
  const lines = text.split('\n').map((line) => line.replaceAll(/-{2,}/g, '---').replaceAll(/ {2,}/g, ' ').trim());
  return lines.filter((line) => line !== '');
}
