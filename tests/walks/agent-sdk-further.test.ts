import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openSessions } from '@attractor/journal';
import { installedClaudeSdk } from '@attractor/executor/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND, startAttractor } from './attractor.ts';
import {
  loadSdk,
  makeSdkWorld,
  type Message,
  resultOf,
  type Sdk,
  type SdkWorld,
  userMessage,
} from './test-support/agent-sdk-world.ts';

const found = await installedClaudeSdk();
const installed = 'folder' in found ? found.folder : '';
const why = 'missing' in found ? `, not tried here: ${found.missing}` : '';

const say = (name: string, ...turns: ReadonlyArray<unknown>): unknown => ({ name, match: { firstUser: name }, turns });
const write = (file: string, content = 'x'): unknown => ({ use: 'write', path: file, content });

const CONVERSATIONS: ReadonlyArray<unknown> = [
  say(
    'GONE BACK',
    { toolCalls: [write('back.txt', 'first')] },
    { text: 'Written.' },
    { toolCalls: [write('back.txt', 'second')] },
    { text: 'Written again.', repeat: 'forever' },
  ),
  say('ELSEWHERE', { toolCalls: [{ name: 'Bash', args: { command: 'touch here.txt' } }] }, { text: 'Run.' }),
  say(
    'REFUSED FOR GOOD',
    { toolCalls: [{ name: 'Bash', args: { command: 'touch never.txt' } }] },
    { text: 'Asked again.' },
  ),
  say(
    'WITH AGENTS',
    { toolCalls: [{ name: 'Task', args: { description: 'd', prompt: 'AS THE SCOUT', subagent_type: 'scout' } }] },
    { text: 'Done.' },
  ),
  say('AS THE SCOUT', { text: 'Seen.' }),
  say('BEFORE ALL', { text: 'Begun.' }),
  say('WARM', { text: 'Warm.' }),
  say('KEPT', { text: 'So.', toolCalls: [{ use: 'read', path: 'notes.txt' }] }, { text: 'Kept.' }),
  say('SHAPED LATE', { text: 'no JSON' }, { text: '{"sum":"three"}' }, { text: '{"sum":3}' }),
  say(
    'ALONE WITH THE SERVICE',
    { thinking: 'HIDDEN THOUGHTS', text: 'Said.' },
    { thinking: 'SHOWN THOUGHTS', text: 'Said again.' },
  ),
  say('PREVIEWED', { text: 'Nothing to ask.' }),
  say(
    'UNTOLD',
    {
      toolCalls: [
        { name: 'Task', args: { description: 'd', prompt: 'WITHOUT DOCS', subagent_type: 'plain' } },
        { name: 'Task', args: { description: 'd', prompt: 'WITH DOCS', subagent_type: 'told' } },
      ],
    },
    { text: 'Done.' },
  ),
  say('WITHOUT DOCS', { toolCalls: [{ use: 'read', path: 'below/a.txt' }] }, { text: 'Read.' }),
  say('WITH DOCS', { toolCalls: [{ use: 'read', path: 'below/a.txt' }] }, { text: 'Read.' }),
  {
    name: 'next',
    match: { system: 'You guess what a person types next' },
    turns: [{ text: 'run the tests', repeat: 'forever' }],
  },
  { name: 'now', match: { system: 'what it is doing now' }, turns: [{ text: 'Reading a.txt', repeat: 'forever' }] },
  say('WHAT NEXT', { text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }),
  say(
    'HOW FAR',
    {
      toolCalls: [
        { name: 'Task', args: { description: 'd', prompt: 'STEP BY STEP', subagent_type: 'general-purpose' } },
      ],
    },
    { text: 'Done.' },
  ),
  say(
    'STEP BY STEP',
    { toolCalls: [{ use: 'read', path: 'below/a.txt' }] },
    { toolCalls: [{ use: 'read', path: 'notes.txt' }], delayMs: 700 },
    { text: 'Stepped.' },
  ),
  say('CONFIGURED BY ANOTHER', { toolCalls: [write('elsewhere.txt'), write('secret/no.txt')] }, { text: 'Done.' }),
  say('CLEARED', { text: 'Before.' }),
  say('AFTER CLEAR', { text: 'After.' }),
  say('BUSY', { text: 'no', fault: [{ kind: 'overloaded', times: 'forever' }] }),
];

describe.runIf('folder' in found)(`further options of the Claude Agent SDK${why}`, () => {
  let sdk: Sdk;
  let world: SdkWorld;
  beforeAll(async () => {
    sdk = await loadSdk(installed);
    world = await makeSdkWorld(sdk, () => CONVERSATIONS);
  });
  afterAll(() => world.close());

  const bodyOf = (firstUser: string, at = 0): string => JSON.stringify(world.requests(firstUser)[at]?.body);
  const sessions = () => openSessions({ home: path.join(world.home, '.attractor') });

  test('a session has its title, goes on behind a message, and its files go back to a prompt of an earlier process', async () => {
    const [id, prompt] = [randomUUID(), randomUUID()];
    async function* prompts() {
      yield { ...userMessage('GONE BACK'), uuid: prompt };
    }
    const options = { permissionMode: 'acceptEdits' };
    const first = await world.ask(prompts(), { ...options, sessionId: id, title: 'A walk back' });
    expect(sessions().list()).toMatchObject([{ id, title: 'A walk back' }]);
    const answer = first.findLast(({ type }) => type === 'assistant')?.['uuid'];
    const second = await world.ask('once more', { ...options, resume: id, title: 'Not this' });
    expect(resultOf(second)).toMatchObject({ result: 'Written again.' });
    expect(sessions().list()).toMatchObject([{ title: 'A walk back', turns: 8 }]);

    const drops = await world.failure('on', { resume: id, resumeSessionAt: answer, resumeDropsTurn: prompt });
    expect(drops).toMatch(/Resume rejected by --resume-drops-turn: another prompt/);
    expect(await world.failure('on', { resume: id, resumeSessionAt: prompt.replace(/^./, 'z') })).toMatch(
      /No message of the session .* has the uuid/,
    );
    const forked = await world.ask('on', { ...options, resume: id, resumeSessionAt: answer, forkSession: true });
    expect(resultOf(forked)).toMatchObject({ result: 'Written again.' });
    await world.converse('other', { ...options, resume: id, resumeSessionAt: answer }, [
      async (query) => {
        const rewound = await query.rewindFiles(prompt, { dryRun: true });
        expect(rewound).toMatchObject({ canRewind: true, filesChanged: ['back.txt'] });
      },
    ]);
    // Both went on from the first answer: the model never heard of the prompt between.
    expect(world.requests('GONE BACK').filter(({ body }) => JSON.stringify(body).includes('once more'))).toHaveLength(
      2,
    );
    // The copy knows its messages by the same names.
    const copied = { resume: resultOf(forked)['session_id'], resumeSessionAt: answer };
    expect(resultOf(await world.ask('again', { ...options, ...copied }))).toMatchObject({ result: 'Written again.' });
  });

  test('calls of one tool are those of another, judged as that', async () => {
    const asked: string[] = [];
    const away = sdk.createSdkMcpServer({
      name: 'away',
      tools: [
        {
          name: 'bash',
          description: 'runs',
          inputSchema: {},
          handler: async () => ({ content: [{ type: 'text', text: 'ran far away' }] }),
        },
      ],
    });
    await world.ask('ELSEWHERE', {
      toolAliases: { Bash: 'mcp__away__bash', mcp__away__bash: 'Write' },
      mcpServers: { away },
      canUseTool: async (name: string) => {
        asked.push(name);
        return { behavior: 'allow' };
      },
    });
    expect(asked).toEqual(['mcp__away__bash']);
    expect(bodyOf('ELSEWHERE', 1)).toMatch(/ran far away/);
    expect(existsSync(path.join(world.folder, 'here.txt'))).toBe(false);
  });

  test('who refuses a call and ends the prompt is heard in the conversation and in the result', async () => {
    const canUseTool = async () => ({ behavior: 'deny', message: 'NOT TODAY', interrupt: true });
    const lines = await world.answered('REFUSED FOR GOOD', { permissionMode: 'default', canUseTool });
    expect(resultOf(lines)).toMatchObject({
      subtype: 'error_during_execution',
      permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'touch never.txt' } }],
    });
    expect(JSON.stringify(lines.filter(({ type }) => type === 'user'))).toContain('NOT TODAY');
    expect(world.requests('REFUSED FOR GOOD')).toHaveLength(1);
    expect(existsSync(path.join(world.folder, 'never.txt'))).toBe(false);
  });

  test('agents have an effort, and skills that they have read; one that is the session speaks first', async () => {
    for (const name of ['known', 'other']) {
      const folder = path.join(world.home, '.claude/skills', name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: d\n---\nTHE TEXT OF ${name}\n`);
    }
    const scout = { description: 'looks', prompt: 'YOU SCOUT', effort: 'high', skills: ['known', 'nothing'] };
    const lines = await world.ask('WITH AGENTS', { agents: { scout }, skills: ['other'] });
    expect(lines[0]).toMatchObject({ skills: ['other'] });
    expect(bodyOf('WITH AGENTS')).not.toMatch(/"effort":"high"|THE TEXT/);
    expect(bodyOf('AS THE SCOUT')).toMatch(/YOU SCOUT[^]*THE TEXT OF known/);
    expect(bodyOf('AS THE SCOUT')).toMatch(/"effort":"high"|"budget_tokens"/);
    expect(lines.flatMap(({ content }) => (typeof content === 'string' ? [content] : []))).toEqual([
      'Agent scout: there is no skill nothing',
    ]);
    const speaker = { description: 'speaks', prompt: 'YOU SPEAK', initialPrompt: 'BEFORE ALL', effort: 'low' };
    const begun = await world.ask('then this', { agent: 'speaker', agents: { speaker } });
    expect(resultOf(begun)).toMatchObject({ result: 'Begun.', num_turns: 1 });
    expect(bodyOf('BEFORE ALL')).toMatch(/BEFORE ALL\\n\\nthen this/);
    expect(await world.failure('x', { agents: { scout: { ...scout, effort: -7 } } })).toMatch(
      /agents\.scout\.effort: expected low, medium/,
    );
  });

  test('the functions about sessions see ours through the store on the page', async () => {
    const [id, dir] = [randomUUID(), world.folder];
    await world.ask('KEPT', { sessionId: id });
    const lines = await world.ask('KEPT');
    expect(lines[0]?.['session_id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    const { sessionStore } = await storeOfPage(world.home);
    const messages = await sdk.getSessionMessages(id, { dir, sessionStore });
    const uuid = lines.find(({ type }) => type === 'assistant')?.['uuid'];
    expect(messages).toMatchObject([
      { type: 'user', session_id: id, message: { role: 'user', content: 'KEPT' } },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'So.' }, { type: 'tool_use' }] } },
      { type: 'user', message: { content: [{ type: 'tool_result', is_error: false }] } },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'Kept.' }] } },
    ]);
    const other = String(lines[0]?.['session_id']);
    expect((await sdk.getSessionMessages(other, { dir, sessionStore })).map((one) => one['uuid'])).toContain(uuid);
    await sdk.renameSession(id, 'Kept well', { dir, sessionStore });
    expect(await sdk.getSessionInfo(id, { dir, sessionStore })).toMatchObject({ summary: 'Kept well', cwd: dir });
    const listed = await sdk.listSessions({ dir, sessionStore });
    expect(listed.map(({ sessionId }) => sessionId)).toEqual(expect.arrayContaining([id, other]));
    const { sessionId: copy } = await sdk.forkSession(id, { dir, sessionStore, upToMessageId: messages[2]?.['uuid'] });
    expect(await sdk.getSessionInfo(copy, { dir, sessionStore })).toMatchObject({ summary: 'Kept well (fork)' });
    expect(await sdk.getSessionMessages(copy, { dir, sessionStore })).toMatchObject([
      { type: 'user', session_id: copy, message: { content: 'KEPT' } },
      { type: 'assistant' },
      { type: 'user', message: { content: [{ type: 'tool_result' }] } },
    ]);
    await sdk.deleteSession(id, { dir, sessionStore });
    expect((await sdk.listSessions({ dir, sessionStore })).map(({ sessionId }) => sessionId)).not.toContain(id);
    await expect(sdk.tagSession(other, 'x', { dir, sessionStore })).rejects.toThrow(/tag is not kept here/);
  });

  test('an empty prompt only opens the pipes of an earlier session, and a later text may be the answer', async () => {
    const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    const shaped = await world.ask('SHAPED LATE', { outputFormat: { type: 'json_schema', schema } });
    expect(resultOf(shaped)).toMatchObject({ structured_output: { sum: 3 } });
    const query = world.start('', { resume: resultOf(shaped)['session_id'] });
    for await (const message of query) {
      if (message['subtype'] !== 'init') continue;
      expect(await query.rewindFiles('x', { dryRun: true })).toMatchObject({ canRewind: false });
      break;
    }
  });

  test("what Anthropic's service alone knows is said to it, and thinking is told or not", async () => {
    const options = {
      model: 'sonnet',
      betas: ['context-1m-2025-08-07', 'interleaved-thinking-2025-05-14'],
      taskBudget: { total: 50_000 },
      thinking: { type: 'adaptive', display: 'omitted' },
      includePartialMessages: true,
    };
    const lines = await world.converse('ALONE WITH THE SERVICE', options, [
      async (query) => {
        await query.setMaxThinkingTokens(20_000, 'summarized');
        await expect(query.setMaxThinkingTokens(20_000, 'highlights')).rejects.toThrow(/highlights/);
      },
      async () => undefined,
    ]);
    const [first, second] = world.requests('ALONE WITH THE SERVICE');
    expect(first?.headers['anthropic-beta']).toMatch(/context-1m-2025-08-07,interleaved-thinking-2025-05-14/);
    expect(first?.headers['anthropic-beta']).toContain('task-budgets-2026-03-13');
    expect(first?.body).toMatchObject({
      thinking: { type: 'adaptive', display: 'omitted' },
      output_config: { task_budget: { type: 'tokens', total: 50_000 } },
    });
    expect(second?.body).toMatchObject({ thinking: { type: 'adaptive', display: 'summarized' } });
    const told = JSON.stringify(lines);
    expect(told).not.toContain('HIDDEN THOUGHTS');
    expect(told).toContain('SHOWN THOUGHTS');
    expect(told).toContain('"type":"thinking","thinking":"","signature":"');
    const env = { ...Object(world.base['env']), OPENAI_API_KEY: 'none' };
    const other = await world.failure('x', { betas: ['b'], env, extraArgs: { provider: 'openai' } });
    expect(other).toMatch(/--betas: only Anthropic's service knows this, and this run asks openai/);
  });

  test('previews are written as the program shows them, and an agent can go without instruction files', async () => {
    const canUseTool = async () => ({ behavior: 'allow' });
    await world.ask('PREVIEWED', { canUseTool, toolConfig: { askUserQuestion: { previewFormat: 'html' } } });
    expect(bodyOf('PREVIEWED')).toMatch(/"preview":\{"type":"string","description":"[^"]*a fragment of HTML/);
    const agent = { description: 'd', prompt: 'p' };
    mkdirSync(path.join(world.folder, 'below'));
    writeFileSync(path.join(world.folder, 'below/a.txt'), 'a\n');
    const docs = { 'CLAUDE.md': 'TOLD AT THE START', 'below/CLAUDE.md': 'TOLD BELOW' };
    for (const [name, text] of Object.entries(docs)) writeFileSync(path.join(world.folder, name), text);
    writeFileSync(path.join(world.home, '.claude/CLAUDE.md'), 'TOLD BY THE PERSON');
    await world.ask('UNTOLD', { agents: { plain: { ...agent, omitClaudeMd: true, effort: 90 }, told: agent } });
    const said = (name: string) => JSON.stringify(world.requests(name).map(({ body }) => body));
    for (const text of [...Object.values(docs), 'TOLD BY THE PERSON']) {
      expect(said('WITH DOCS')).toContain(text);
      expect(said('WITHOUT DOCS')).not.toContain(text);
    }
    expect(said('WITHOUT DOCS')).toMatch(/"budget_tokens"|"effort":"high"/);
    for (const name of ['CLAUDE.md', 'below/CLAUDE.md']) rmSync(path.join(world.folder, name));
    rmSync(path.join(world.home, '.claude/CLAUDE.md'));
  });

  test('what comes next is suggested, and what an agent does is summed up', async () => {
    const nothing = async (): Promise<void> => undefined;
    const lines = await world.converse('WHAT NEXT', { promptSuggestions: true }, [nothing, nothing]);
    const told = lines.map(({ type, suggestion }) => (type === 'prompt_suggestion' ? suggestion : type));
    expect(told.slice(told.indexOf('result'))).toEqual(['result', 'assistant', 'result', 'run the tests']);
    const agent = await world.ask('HOW FAR', { agentProgressSummaries: true });
    const summaries = agent.filter(({ subtype, summary }) => subtype === 'task_progress' && summary !== undefined);
    expect(summaries).toMatchObject([{ summary: 'Reading a.txt', last_tool_name: expect.any(String) }]);
    expect(summaries[0]?.['usage']).toMatchObject({ tool_uses: 1 });
    expect(resultOf(agent)['total_cost_usd']).toBeGreaterThan(0);
  });

  test('a worktree is configured by the checkout that it belongs to', async () => {
    const [here, there] = [world.folder, world.other];
    const settings = (allow: string, hook: string) =>
      JSON.stringify({
        permissions: { allow: [allow], deny: ['Edit(/secret/**)'] },
        hooks: { Stop: [{ hooks: [{ type: 'command', command: hook }] }] },
      });
    for (const [folder, text] of [
      [here, settings('Edit', 'touch wrong')],
      [there, settings('Write', 'echo "$CLAUDE_PROJECT_DIR" > project.txt')],
    ] as const) {
      mkdirSync(path.join(folder, '.claude'), { recursive: true });
      writeFileSync(path.join(folder, '.claude/settings.json'), text);
    }
    const trust = async (...words: ReadonlyArray<string>) =>
      (await startAttractor(['trust', ...words], { home: world.home, cwd: there }).ended).stdout;
    const { hash }: { readonly hash?: string } = JSON.parse(await trust('show', '--json'));
    await trust('grant', '--yes', '--hash', String(hash));
    const lines = await world.ask('CONFIGURED BY ANOTHER', { projectConfigRoot: there });
    expect(readFileSync(path.join(here, 'project.txt'), 'utf8')).toBe(`${there}\n`);
    expect(['elsewhere.txt', 'secret/no.txt', 'wrong'].map((name) => existsSync(path.join(here, name)))).toEqual([
      true,
      false,
      false,
    ]);
    expect(resultOf(lines)).toMatchObject({ permission_denials: [{ tool_input: { file_path: 'secret/no.txt' } }] });
    rmSync(path.join(here, '.claude'), { recursive: true });
  });

  test('commands of the program itself are answered without the model, and /clear begins another session', async () => {
    async function* prompts() {
      for (const text of ['CLEARED', '/model haiku', '/context', '/clear', 'AFTER CLEAR', '/cost', '/help'])
        yield userMessage(text);
    }
    const lines: Message[] = [];
    const query = world.start(prompts(), { settings: { hooks: START_AND_END } });
    const commands = await query.supportedCommands();
    for await (const line of query) lines.push(line);
    const [first, second] = lines.filter(({ subtype }) => subtype === 'init');
    const names = ['clear', 'compact', 'context', 'cost', 'model'];
    expect(first?.['slash_commands']).toEqual(['known', 'other', ...names]);
    expect(commands.map(({ name }) => name)).toEqual(['known', 'other', ...names]);
    expect(lines.flatMap(({ type, result }) => (type === 'result' ? [result] : []))).toEqual([
      'Before.',
      expect.stringMatching(/^Model set to claude-haiku/),
      expect.stringMatching(/\*\*Tokens:\*\* [1-9]/),
      '',
      'After.',
      expect.stringMatching(/^Total cost: {12}\$0\.0[^]*Usage: {17}\d+ input/),
      expect.stringMatching(/needs a terminal/),
    ]);
    expect(lines.find(({ type }) => type === 'conversation_reset')).toMatchObject({
      trigger: 'clear',
      session_id: first?.['session_id'],
      new_conversation_id: second?.['session_id'],
    });
    expect(second?.['model']).toMatch(/haiku/);
    expect(resultOf(lines)).toMatchObject({ session_id: second?.['session_id'], num_turns: 2 });
    expect(bodyOf('AFTER CLEAR')).not.toContain('CLEARED');
    expect(world.requests('AFTER CLEAR')).toHaveLength(1);
    expect(readFileSync(path.join(world.folder, 'events.txt'), 'utf8')).toBe(
      'SessionStart startup\nSessionEnd clear\nSessionStart clear\nSessionEnd other\n',
    );
    const list = sessions().list();
    expect([first, second].map((line) => list.some(({ id }) => id === line?.['session_id']))).toEqual([true, true]);
    const silent = await world.ask('/context');
    expect(sessions().list()).toHaveLength(list.length);
    expect(resultOf(silent)).toMatchObject({ subtype: 'success', num_turns: 0, total_cost_usd: 0 });
  });

  test('what may not be tried again ends with one error result, also while the service is overloaded', async () => {
    const lines = await world.answered('BUSY');
    expect(lines.map(({ type, subtype }) => subtype ?? type)).toEqual(['init', 'error_during_execution']);
    expect(resultOf(lines)).toMatchObject({ is_error: true, errors: [expect.stringMatching(/overloaded/)] });
    expect(world.requests('BUSY')).toHaveLength(1);
  });

  test('a process is made ready before there is a prompt', async () => {
    const warm = await sdk.startup({ options: world.base });
    const lines: Message[] = [];
    for await (const line of warm.query('WARM')) lines.push(line);
    expect(resultOf(lines)).toMatchObject({ result: 'Warm.' });
    await expect(sdk.prewarm({ options: world.base })).rejects.toThrow(/use startup\(\) of the SDK/);
    expect(world.unexpected()).toEqual([]);
  });
});

const recorded = (field: string): unknown => [
  { hooks: [{ type: 'command', command: `jq -r '"\\(.hook_event_name) \\(.${field})"' >> events.txt` }] },
];

const START_AND_END = { SessionStart: recorded('source'), SessionEnd: recorded('reason') };

type Store = { readonly sessionStore: unknown };

/** The store as the page has it, with our command in place of the installed one. */
async function storeOfPage(home: string): Promise<Store> {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/agent-sdk.md'), 'utf8');
  const [, code = ''] = /<!-- store -->\n\n```js\n([^]*?)```/.exec(page) ?? [];
  const command = path.join(home, 'attractor');
  writeFileSync(command, `#!/bin/sh\nHOME=${home} exec ${process.execPath} ${COMMAND} "$@"\n`, { mode: 0o755 });
  const file = path.join(home, 'store.mjs');
  writeFileSync(file, code.replace("('attractor',", `('${command}',`));
  const store: Store = await import(pathToFileURL(file).href);
  return store;
}
