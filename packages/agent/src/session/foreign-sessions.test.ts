import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import type { Message } from '@attractor/llm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { resumeSession } from './session.ts';
import { makeFolder, runs } from '@attractor/base/testing';

import { createScriptedClient } from '../testing/scripted-client.ts';
import {
  findForeignSessions,
  FOREIGN_AGENTS,
  type ForeignAgent,
  importForeignSession,
  openSessions,
} from '@attractor/journal';
import { eventsOfSteps, type ForeignStep } from '@attractor/journal/testing';

const AT = '2026-03-01T10:00:00.000Z';
const jsonl = (lines: ReadonlyArray<unknown>): string => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

function take(from: ForeignAgent, text: string | Uint8Array, name = 'session.jsonl') {
  const folder = makeFolder();
  const file = path.join(folder, name);
  writeFileSync(file, text);
  const home = path.join(folder, 'home');
  const imported = importForeignSession({ home, from, file });
  if (!imported.ok) throw new Error(imported.error.message);
  const sessions = openSessions({ home });
  const turns = [...sessions.turns(imported.value.id)].map(({ kind, text: said, calls, results }) =>
    [kind, said, ...calls.map(({ toolName }) => toolName), ...results.map(({ output }) => output)]
      .filter(Boolean)
      .join(' | '),
  );
  return { ...imported.value, home, sessions, turns };
}

/** Goes on with an imported session, and gives the messages that the model was sent. */
async function goOn({ home, id }: { readonly home: string; readonly id: string }): Promise<ReadonlyArray<Message>> {
  const held = openSessions({ home }).open(id);
  if (!held.ok) throw new Error(held.error.message);
  expect(held.value.isNew).toBe(false);
  const client = createScriptedClient([{ text: 'I know.' }]);
  const session = resumeSession({
    client,
    profile: createAnthropicProfile(),
    environment: createLocalExecutionEnvironment(makeFolder()),
    journal: held.value.journal,
    sessionId: id,
    config: { model: 'scripted', provider: 'scripted' },
  });
  await session.resume();
  await session.submit('And now?');
  expect(session.error()).toBeNull();
  await session.close();
  const messages = client.requests[0]?.messages ?? [];
  expectSound(messages);
  return messages;
}

/** Calls and results in pairs, each result right behind the answer with its call, ids once, names that providers take. */
function expectSound(messages: ReadonlyArray<Message>): void {
  let open: string[] = [];
  const seen = new Set<string>();
  for (const { role, content } of messages.slice(1)) {
    if (role === 'tool') {
      for (const part of content) {
        if (part.kind !== 'TOOL_RESULT') continue;
        expect(open).toContain(part.toolCallId);
        open = open.filter((id) => id !== part.toolCallId);
      }
      continue;
    }
    expect(open).toEqual([]);
    for (const part of content) {
      if (part.kind !== 'TOOL_CALL') continue;
      expect(part.toolName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(part.toolCallId).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(seen.has(part.toolCallId)).toBe(false);
      seen.add(part.toolCallId);
      open.push(part.toolCallId);
    }
  }
  expect(open).toEqual([]);
  expect(messages.at(1)?.role).toBe('user');
  expect(messages.at(-1)?.role).toBe('user');
}

type ClaudeLine = { readonly uuid: string; readonly parent?: string | null; readonly [more: string]: unknown };
const line = ({ uuid, parent = null, ...more }: ClaudeLine): object => ({
  uuid,
  parentUuid: parent,
  isSidechain: false,
  cwd: '/code/app',
  timestamp: AT,
  sessionId: 's',
  ...more,
});
const said = (id: string, ...content: ReadonlyArray<object>): object => ({
  type: 'assistant',
  message: {
    id,
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 7 },
  },
});
const asked = (content: unknown): object => ({ type: 'user', message: { role: 'user', content } });
const use = (id: string): object => ({ type: 'tool_use', id, name: 'Bash', input: { command: `echo ${id}` } });
const result = (id: string, content: unknown = `out ${id}`): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});

describe('a session of Claude Code', () => {
  const CHAIN = [
    { type: 'summary', summary: 'About something', leafUuid: 'u9' },
    line({ uuid: 'u0', ...asked('<local-command-caveat>x'), isMeta: true }),
    line({ uuid: 'u1', parent: 'u0', ...asked('Look around') }),
    line({ uuid: 'a1', parent: 'u1', ...said('m1', { type: 'thinking', thinking: 'hm', signature: 'c2ln' }) }),
    line({ uuid: 'a2', parent: 'a1', ...said('m1', { type: 'text', text: 'I look.' }) }),
    line({ uuid: 'a3', parent: 'a2', ...said('m1', use('t1')) }),
    line({ uuid: 'a4', parent: 'a3', ...said('m1', use('t2')) }),
    line({ uuid: 'r1', parent: 'a3', ...asked([result('t1')]) }),
    line({ uuid: 's1', parent: 'a4', ...asked('of a subagent'), isSidechain: true }),
    line({ uuid: 'r2', parent: 'a4', ...asked([result('t2', [{ type: 'text', text: 'out t2' }])]) }),
    line({ uuid: 'b1', parent: 'r2', ...said('m2', { type: 'text', text: 'A branch.' }) }),
    line({ uuid: 'b2', parent: 'b1', ...asked('left again') }),
    line({ uuid: 'a5', parent: 'r2', ...said('m3', { type: 'text', text: 'Two files.' }) }),
    line({ uuid: 'u2', parent: 'a5', ...asked([{ type: 'text', text: 'Thanks' }]) }),
    line({ uuid: 'a6', parent: 'u2', ...said('m4', { type: 'text', text: 'Gladly.' }) }),
  ];

  it('becomes one of ours: the last branch, with results of calls that were made together', async () => {
    const taken = take('claude', jsonl(CHAIN));
    expect(taken).toMatchObject({ cwd: '/code/app', turns: expect.any(Array), left: ['1 line of subagents'] });
    expect(taken.turns).toEqual([
      'user | Look around',
      'assistant | I look. | Bash | Bash',
      'tool_results | out t1 | out t2',
      'assistant | Two files.',
      'user | Thanks',
      'assistant | Gladly.',
    ]);
    const [summary] = taken.sessions.list();
    expect(summary).toMatchObject({ title: 'Look around', provider: 'anthropic', model: 'claude-sonnet-4-5' });
    expect(summary?.usage.inputTokens).toBe(45);
    const messages = await goOn(taken);
    expect(JSON.stringify(messages)).toContain('out t2');
    expect(JSON.stringify(messages)).not.toMatch(/branch|subagent|caveat/);
  });

  it('that was summed up begins with the summary', () => {
    const taken = take(
      'claude',
      jsonl([
        ...CHAIN,
        line({ uuid: 'c1', parent: null, type: 'system', subtype: 'compact_boundary', logicalParentUuid: 'a6' }),
        line({ uuid: 'c2', parent: 'c1', ...asked('What was said: much.'), isCompactSummary: true }),
        line({ uuid: 'c3', parent: 'c2', ...said('m9', { type: 'text', text: 'On we go.' }) }),
      ]),
    );
    expect(taken.turns).toEqual(['user | What was said: much.', 'assistant | On we go.']);
  });

  it('that ends in the middle of a call, with half a line, is whole again', async () => {
    const taken = take('claude', `${jsonl(CHAIN.slice(0, 8))}{"uuid":"r2","par`);
    expect(taken.left).toEqual(["1 line that can't be read"]);
    expect(taken.turns.at(-1)).toMatch(/^tool_results \| out t1 \| not known: /);
    await goOn(taken);
  });

  it('with a broken line has what stands before it, and says what is lost', () => {
    const lines = jsonl(CHAIN).trim().split('\n');
    const odd = [{ type: 'hologram' }, { type: 'text', text: 'Gladly.' }];
    const broken = [
      ...lines.with(12, '{"uuid":"a5",').slice(0, -1),
      JSON.stringify(line({ uuid: 'a6', parent: 'u2', ...said('m4', ...odd) })),
    ];
    const taken = take('claude', broken.join('\n'));
    expect(taken.left).toEqual([
      "1 line that can't be read",
      '1 line of subagents',
      'what stood in 1 gap of the file',
      '1 of hologram',
    ]);
    expect(taken.turns.slice(0, 3)).toEqual([
      'user | Look around',
      'assistant | I look. | Bash | Bash',
      'tool_results | out t1 | out t2',
    ]);
    expect(taken.turns.slice(-2)).toEqual(['user | Thanks', 'assistant | Gladly.']);
  });

  it('keeps no secret that it held', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const taken = take('claude', jsonl([line({ uuid: 'u1', ...asked(`use ${key}`) })]));
    expect(taken.turns.join()).not.toContain(key);
  });
});

const item = (payload: object): object => ({ timestamp: AT, type: 'response_item', payload });
const text = (role: string, words: string): object =>
  item({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: words }] });

describe('a session of Codex', () => {
  const ROLLOUT = [
    { timestamp: AT, type: 'session_meta', payload: { id: 'x', cwd: '/code/app', model_provider: 'openai' } },
    { timestamp: AT, type: 'turn_context', payload: { cwd: '/code/app', model: 'gpt-5' } },
    text('user', '<environment_context>\n<cwd>/code/app</cwd>'),
    text('user', '# AGENTS.md instructions for /code/app'),
    text('developer', 'Be careful.'),
    text('user', 'Look around'),
    { timestamp: AT, type: 'event_msg', payload: { type: 'user_message', message: 'Look around' } },
    item({ type: 'reasoning', summary: [], encrypted_content: 'x' }),
    text('assistant', 'I look.'),
    item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_1' }),
    item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'call_2' }),
    item({ type: 'function_call_output', call_id: 'call_1', output: '{"output":"a.txt","metadata":{"exit_code":1}}' }),
    item({ type: 'custom_tool_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'Done' }] }),
    item({ type: 'function_call_output', call_id: 'nobody', output: 'stray' }),
    text('assistant', 'One file.'),
  ];

  it('becomes one of ours, without what the program said itself', async () => {
    const taken = take('codex', jsonl(ROLLOUT));
    expect(taken.turns).toEqual([
      'user | Look around',
      'assistant | I look. | shell | apply_patch',
      'tool_results | a.txt | Done',
      'assistant | One file.',
    ]);
    expect(taken.sessions.list()).toMatchObject([{ cwd: '/code/app', provider: 'openai', model: 'gpt-5' }]);
    await goOn(taken);
  });

  it('packed, and summed up on the way', async () => {
    const compacted = { timestamp: AT, type: 'compacted', payload: { message: 'There is one file.' } };
    const rows = [...ROLLOUT, compacted, text('user', 'Next')];
    const taken = take('codex', zstdCompressSync(Buffer.from(jsonl(rows))), 'rollout-1.jsonl.zst');
    expect(taken.turns).toEqual(['user | Summary of what was said before:\nThere is one file.', 'user | Next']);
    await goOn(taken);
  });
});

describe('a session of Gemini CLI', () => {
  const call = (id: string, more: object = {}): object => ({
    id,
    name: 'read_file',
    args: { file_path: 'a.txt' },
    status: 'success',
    result: [{ functionResponse: { id, name: 'read_file', response: { output: `out ${id}` } } }],
    ...more,
  });
  const MESSAGES = [
    { id: '1', timestamp: AT, type: 'user', content: [{ text: 'Look around' }] },
    { id: '2', timestamp: AT, type: 'info', content: 'Update available' },
    {
      id: '3',
      timestamp: AT,
      type: 'gemini',
      content: 'I look.',
      model: 'gemini-3-pro',
      tokens: { input: 9, output: 1 },
      toolCalls: [call('c1'), call('c2', { status: 'error' })],
    },
    { id: '4', timestamp: AT, type: 'gemini', content: 'One file.', model: 'gemini-3-pro' },
  ];
  const TURNS = [
    'user | Look around',
    'assistant | I look. | read_file | read_file',
    'tool_results | out c1 | out c2',
    'assistant | One file.',
  ];

  it('in one object becomes one of ours', async () => {
    const chat = { sessionId: 's', projectHash: 'h', startTime: AT, messages: MESSAGES, directories: ['/code/app'] };
    const taken = take('gemini', JSON.stringify(chat, null, 2), 'session-1.json');
    expect(taken.turns).toEqual(TURNS);
    expect(taken.sessions.list()).toMatchObject([{ cwd: '/code/app', provider: 'gemini', model: 'gemini-3-pro' }]);
    await goOn(taken);
  });

  it('in lines too, with messages that were changed and taken back', async () => {
    const { toolCalls: _calls, ...early } = { toolCalls: [], ...MESSAGES[2] };
    const rows = [
      { sessionId: 's', projectHash: 'h', startTime: AT, kind: 'main' },
      ...MESSAGES.slice(0, 2),
      early,
      MESSAGES[2],
      { id: '9', timestamp: AT, type: 'user', content: 'Wrong way' },
      { id: '10', timestamp: AT, type: 'gemini', content: 'Yes?' },
      { $rewindTo: '9' },
      { $set: { lastUpdated: AT } },
      MESSAGES[3],
    ];
    const taken = take('gemini', jsonl(rows));
    expect(taken.turns).toEqual(TURNS);
    await goOn(taken);
  });
});

describe('sessions of pi, opencode, goose and Cline', () => {
  const WANTED = ['user | Look.', 'assistant | I look. | bash', 'tool_results | a.txt', 'assistant | Done.'];

  it('of pi follow the last branch, from the last summary on', async () => {
    const entry = (id: string, parentId: string | null, message: unknown) => ({
      type: 'message',
      id,
      parentId,
      timestamp: AT,
      message,
    });
    const call = { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } };
    const lines = [
      { type: 'session', version: 3, id: 's', timestamp: AT, cwd: '/code/app' },
      entry('1', null, { role: 'user', content: 'Look.' }),
      entry('x', '1', { role: 'assistant', content: [{ type: 'text', text: 'Taken back.' }] }),
      entry('2', '1', {
        role: 'assistant',
        provider: 'openai',
        model: 'gpt',
        content: [{ type: 'text', text: 'I look.' }, call],
      }),
      entry('3', '2', {
        role: 'toolResult',
        toolCallId: 'c1',
        content: [{ type: 'text', text: 'a.txt' }],
        isError: false,
      }),
      entry('4', '3', {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'h' },
          { type: 'text', text: 'Done.' },
        ],
      }),
    ];
    const taken = take('pi', jsonl(lines));
    expect([taken.cwd, taken.turns]).toEqual(['/code/app', WANTED]);
    await goOn(taken);
    const compaction = {
      type: 'compaction',
      id: '5',
      parentId: '4',
      timestamp: AT,
      summary: 'All seen.',
      firstKeptEntryId: '4',
    };
    const later = [...lines, compaction, entry('6', '5', { role: 'user', content: 'More.' })];
    expect(take('pi', jsonl(later)).turns.join()).toMatch(
      /^user . Summary of what came before:\nAll seen\.,assistant . Done\.,user . More\.$/,
    );
  });

  it('of Cline are its list of messages', async () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'Look.' }], ts: 1 },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'c1', name: 'bash', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a.txt' }] },
      { role: 'assistant', content: 'Done.' },
    ];
    const taken = take('cline', JSON.stringify(messages), 'api_conversation_history.json');
    expect(taken.turns).toEqual(WANTED);
    await goOn(taken);
  });

  it('of Cline since 3.0 are a file of messages, with the folder in the one beside it', async () => {
    // As the engine of Cline 3.0.65 wrote it, shorter.
    const modelInfo = { id: 'claude-sonnet-4-5', provider: 'anthropic', family: 'claude-sonnet' };
    const metrics = { inputTokens: 1871, outputTokens: 17, cacheReadTokens: 0, cacheWriteTokens: 1871, cost: 0.007 };
    const call = { type: 'tool_use', id: 'toolu_1', name: 'run_commands', input: { commands: ['ls'] } };
    const content = [{ query: 'ls', result: 'a.txt', success: true }];
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', name: 'run_commands', content };
    const words = [{ type: 'text', text: '<user_input mode="act">Look.</user_input>' }];
    const messages = [
      { id: 'a', role: 'user', content: words, ts: 1794960658001 },
      { id: 'b', role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call], ts: 2, modelInfo, metrics },
      { id: 'c', role: 'user', content: [result], ts: 1794960658623 },
      { id: 'd', role: 'assistant', content: [{ type: 'text', text: 'Done.' }], ts: 3, modelInfo, metrics },
    ];
    const about = {
      version: 1,
      session_id: '17_o',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      cwd: '/code/app',
    };
    const userHome = makeFolder();
    const folder = path.join(userHome, '.cline/data/sessions/17_o');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, '17_o.json'), JSON.stringify(about, null, 2));
    writeFileSync(
      path.join(folder, '17_o.messages.json'),
      JSON.stringify({ version: 1, agent: 'lead', messages }, null, 2),
    );
    const [found] = findForeignSessions({ userHome, from: 'cline' });
    const home = makeFolder();
    const imported = importForeignSession({ home, from: 'cline', file: found?.file ?? '' });
    if (!imported.ok) throw new Error(imported.error.message);
    expect(imported.value).toMatchObject({ cwd: '/code/app', turns: 1, left: [] });
    const sent = JSON.stringify(await goOn({ home, id: imported.value.id }));
    for (const text of ['"Look."', 'I look.', 'run_commands', 'a.txt', 'Done.']) expect(sent).toContain(text);
  });

  it('of Cline before 3.0 have results in what comes next, beside what Cline told the model', () => {
    // As Cline 2.18.0 wrote it.
    const own = [
      '# task_progress RECOMMENDED\n\nWhen',
      '<environment_details>\n# Current Mode\nACT MODE\n</environment_details>',
    ];
    const where = '<environment_details>\n# Current Working Directory (/code/app) Files\na.txt\n</environment_details>';
    const texts = (...all: ReadonlyArray<string>) => all.map((text) => ({ type: 'text', text }));
    const modelInfo = { modelId: 'claude-sonnet-4-5', providerId: 'anthropic', mode: 'act' };
    const call = {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'execute_command',
      input: { command: 'ls' },
      call_id: 'toolu_1',
    };
    const messages = [
      { role: 'user', content: texts('<task>\nLook.\n</task>', `\n${own[0]}`, where), ts: 1794960600525 },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'I look.', call_id: '' }, call],
        modelInfo,
        ts: 1794960600732,
      },
      { role: 'user', content: texts("[execute_command for 'ls'] Result:\na.txt", ...own), ts: 1794960600921 },
      { role: 'assistant', content: texts('Done.'), modelInfo, ts: 1794960601093 },
    ];
    const taken = take('cline', JSON.stringify(messages), 'api_conversation_history.json');
    expect([taken.cwd, taken.turns]).toEqual([
      '/code/app',
      WANTED.map((turn) => turn.replace('bash', 'execute_command')),
    ]);
  });

  it('of opencode and goose are in one database, and each is found and taken by its id', async () => {
    const userHome = makeFolder();
    const make = (name: string, sql: string): string => {
      const file = path.join(userHome, name);
      mkdirSync(path.dirname(file), { recursive: true });
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
      return file;
    };
    const json = (value: unknown): string => `'${JSON.stringify(value)}'`;
    const tool = {
      type: 'tool',
      callID: 'c1',
      tool: 'bash',
      state: { status: 'completed', input: {}, output: 'a.txt' },
    };
    const assistant = json({ role: 'assistant', providerID: 'openai', modelID: 'gpt', time: { created: 2 } });
    make(
      '.local/share/opencode/opencode.db',
      `CREATE TABLE session (id TEXT, directory TEXT, time_updated INTEGER);
       CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
       CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
       INSERT INTO session VALUES ('s1', '/code/app', 5), ('s2', '/other', 9);
       INSERT INTO message VALUES ('m1', 's1', 1, ${json({ role: 'user', time: { created: 1 } })}),
         ('m2', 's1', 2, ${assistant}), ('m3', 's1', 3, ${assistant});
       INSERT INTO part VALUES ('p1', 'm1', 's1', ${json({ type: 'text', text: 'Look.' })}),
         ('p2', 'm2', 's1', ${json({ type: 'text', text: 'I look.' })}), ('p3', 'm2', 's1', ${json(tool)}),
         ('p4', 'm3', 's1', ${json({ type: 'text', text: 'Done.' })});`,
    );
    const request = {
      type: 'toolRequest',
      id: 'c1',
      toolCall: { status: 'success', value: { name: 'bash', arguments: {} } },
    };
    const response = {
      type: 'toolResponse',
      id: 'c1',
      toolResult: { status: 'success', value: { content: [{ type: 'text', text: 'a.txt' }] } },
    };
    make(
      '.local/share/goose/sessions/sessions.db',
      `CREATE TABLE sessions (id TEXT, working_dir TEXT, updated_at TEXT, provider_name TEXT, model_config_json TEXT);
       CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT,
         created_timestamp INTEGER, metadata_json TEXT);
       INSERT INTO sessions VALUES ('s1', '/code/app', '2026-03-01 10:00:00', 'openai', '{"model_name":"gpt"}');
       INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES
         ('s1', 'user', ${json([{ type: 'text', text: 'Summed up.' }])}, 1, '{"userVisible":true,"agentVisible":false}');
       INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES
         ('s1', 'user', ${json([{ type: 'text', text: 'Look.' }])}, 1),
         ('s1', 'assistant', ${json([{ type: 'text', text: 'I look.' }, request])}, 2),
         ('s1', 'user', ${json([response])}, 3), ('s1', 'assistant', ${json([{ type: 'text', text: 'Done.' }])}, 4);`,
    );
    for (const from of ['opencode', 'goose'] as const) {
      const file = findForeignSessions({ userHome, from }).find((one) => one.file.endsWith('#s1'))?.file ?? '';
      const home = makeFolder();
      const imported = importForeignSession({ home, from, file });
      if (!imported.ok) throw new Error(imported.error.message);
      expect(imported.value.cwd).toBe('/code/app');
      expect(openSessions({ home }).list()).toMatchObject([{ provider: 'openai', model: 'gpt' }]);
      const sent = JSON.stringify(await goOn({ home, id: imported.value.id }));
      for (const text of ['Look.', 'I look.', 'bash', 'a.txt', 'Done.']) expect(sent).toContain(text);
      expect(sent).not.toContain('Summed up.');
    }
    expect(importForeignSession({ home: makeFolder(), from: 'goose', file: '/nowhere/sessions.db' })).toMatchObject({
      ok: false,
    });
  });
});

describe('any file', () => {
  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['another shape', '{"a":1}\n[1]\nnull'],
    ['a conversation of nobody', '{"type":"user","uuid":"x","message":7}'],
  ])('with %s is refused and leaves nothing behind', (_what, content) => {
    for (const from of FOREIGN_AGENTS) {
      const home = makeFolder();
      const file = path.join(makeFolder({ x: content }), 'x');
      expect(importForeignSession({ home, from, file })).toMatchObject({ ok: false, error: { code: 'invalid' } });
      expect(openSessions({ home }).list()).toEqual([]);
    }
  });

  it('that is not there is told', () => {
    const order = { home: makeFolder(), from: 'codex', file: '/nowhere/x.jsonl.zst' } as const;
    expect(importForeignSession(order)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  const step: fc.Arbitrary<ForeignStep> = fc.oneof(
    fc.record({ kind: fc.constant('user' as const), at: fc.constant(AT), text: fc.string(), images: fc.constant([]) }),
    fc.record({
      kind: fc.constant('assistant' as const),
      at: fc.constant(AT),
      parts: fc.array(
        fc.oneof(
          fc.record({ kind: fc.constant('TEXT' as const), text: fc.string({ minLength: 1 }) }),
          fc.record({
            kind: fc.constant('TOOL_CALL' as const),
            toolCallId: fc.constantFrom('a', 'b', 'é!', ''),
            toolName: fc.constantFrom('Bash', 'my tool', '', 'x'.repeat(90)),
            args: fc.constant({}),
          }),
        ),
        { minLength: 1, maxLength: 3 },
      ),
      usage: fc.constant({ inputTokens: 0, outputTokens: 0, totalTokens: 0 }),
      model: fc.constantFrom('m', 'n'),
      responseId: fc.constantFrom('', 'r'),
    }),
    fc.record({
      kind: fc.constant('result' as const),
      at: fc.constant(AT),
      toolCallId: fc.constantFrom('a', 'b', 'é!', 'nobody'),
      output: fc.string(),
      isError: fc.boolean(),
      images: fc.constant([]),
    }),
  );

  it('whatever its steps are, gives calls and results in pairs, each id once, and an input before every answer', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let open: string[] = [];
        const seen = new Set<string>();
        let heard = false;
        for (const { event } of eventsOfSteps(steps)) {
          if (event.kind === 'USER_INPUT') heard = true;
          if (event.kind === 'USER_INPUT' || event.kind === 'ASSISTANT_MESSAGE') expect(open).toEqual([]);
          if (event.kind === 'ASSISTANT_MESSAGE') expect(heard).toBe(true);
          if (event.kind === 'TOOL_CALL_START') {
            expect(seen.has(event.toolCallId)).toBe(false);
            seen.add(event.toolCallId);
            open.push(event.toolCallId);
          }
          if (event.kind === 'TOOL_CALL_END') {
            expect(open).toContain(event.toolCallId);
            open = open.filter((id) => id !== event.toolCallId);
          }
        }
        expect(open).toEqual([]);
      }),
      { numRuns: runs(80, 20_000) },
    );
  });
});

it('what can be imported is found where each agent keeps it, the newest first', () => {
  const userHome = makeFolder({
    '.claude/projects/-code-app/1.jsonl': '{}',
    '.claude/projects/-code-app/agent-2.jsonl': '{}',
    '.claude/projects/-code-app/1/subagents/x.jsonl': '{}',
    '.codex/sessions/2026/03/01/rollout-1.jsonl': '{}',
    '.codex/history.jsonl': '{}',
    '.gemini/tmp/abc/chats/session-1.json': '{}',
    '.gemini/tmp/abc/logs.json': '{}',
    '.pi/agent/sessions/--code-app--/1.jsonl': '{}',
    '.pi/agent/sessions/settings.jsonl': '{}',
    '.cline/data/tasks/17/api_conversation_history.json': '[]',
    '.cline/data/tasks/17/ui_messages.json': '[]',
  });
  mkdirSync(path.join(userHome, '.gemini/tmp/abc/chats/x.json'));
  utimesSync(path.join(userHome, '.codex/sessions/2026/03/01/rollout-1.jsonl'), 2e9, 2e9);
  const found = findForeignSessions({ userHome });
  expect(found.map(({ from }) => from).toSorted()).toEqual(['claude', 'cline', 'codex', 'gemini', 'pi']);
  expect(found[0]).toMatchObject({ from: 'codex', bytes: 2 });
  expect(findForeignSessions({ userHome, from: 'claude' }).map(({ file }) => path.basename(file))).toEqual(['1.jsonl']);
  expect(findForeignSessions({ userHome: '/nowhere' })).toEqual([]);
});
