import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installedClaudeSdk } from '@attractor/executor/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  loadSdk,
  makeSdkWorld,
  type Message,
  type Query,
  resultOf,
  type Sdk,
  type SdkWorld,
  userMessage,
} from './test-support/agent-sdk-world.ts';

const SUM_SERVER = path.join(import.meta.dirname, 'test-support/sum-server-child.ts');
const found = await installedClaudeSdk();
const installed = 'folder' in found ? found.folder : '';
const why = 'missing' in found ? `, not tried here: ${found.missing}` : '';

const say = (name: string, ...turns: ReadonlyArray<unknown>): unknown => ({ name, match: { firstUser: name }, turns });
const write = (file: string): unknown => ({ use: 'write', path: file, content: 'x\ny' });
const UNTIL = 'echo begun; until [ -e go ]; do sleep 0.05; done; echo ended';

const CONVERSATIONS: ReadonlyArray<unknown> = [
  say(
    'BESIDE',
    { toolCalls: [{ use: 'read', path: 'notes.txt' }, write('made.txt')] },
    { text: 'Read.' },
    {
      toolCalls: [
        { name: 'Edit', args: { file_path: 'notes.txt', old_string: 'three', new_string: 'four' } },
        write('denied.txt'),
      ],
    },
    { text: 'Changed.' },
    { toolCalls: [write('allowed.txt')] },
    { text: 'Written.' },
  ),
  say(
    'TIGHTER',
    { toolCalls: [{ name: 'mcp__calc__add', args: {} }] },
    { text: 'One.' },
    { toolCalls: [{ name: 'mcp__calc__add', args: {} }] },
    { text: 'Two.' },
  ),
  say('PLUGGED', { text: 'Well.' }, { toolCalls: [write('guarded.txt')] }, { text: 'Hm.' }),
  say(
    'LEFT BEHIND',
    { toolCalls: [{ name: 'Bash', args: { command: UNTIL, timeout: 600_000 } }] },
    {
      expect: { toolResult: 'runs in the background as bash_1' },
      toolCalls: [
        {
          name: 'Task',
          args: { description: 'd', prompt: 'TAKE LONG', subagent_type: 'general-purpose' },
        },
      ],
    },
    { expect: { toolResult: 'is at work as' }, toolCalls: [{ name: 'BashOutput', args: { bash_id: 'bash_1' } }] },
    { expect: { toolResult: 'begun' }, toolCalls: [{ use: 'shell', command: 'touch go' }] },
    { text: 'All went on.', repeat: 'forever' },
  ),
  say('TAKE LONG', { text: 'x', delayMs: 600_000 }),
  say(
    'UPDATED',
    { toolCalls: [{ use: 'shell', command: 'touch updated-1' }] },
    { toolCalls: [{ use: 'shell', command: 'touch updated-2' }, write('updated-3.txt')] },
    { text: 'Done.' },
  ),
  say(
    'LIMITED BY ANSWER',
    { toolCalls: [write('limited-1.txt')] },
    { toolCalls: [{ name: 'Write', args: { file_path: 'limited-2.txt', content: 'x' } }] },
    { text: 'Done.' },
  ),
  say('UNCLEAR', { toolCalls: [write('unclear.txt')] }, { text: 'Done.' }),
  say(
    'SENT OUT',
    {
      toolCalls: [
        { name: 'Task', args: { description: 'd', prompt: 'FURTHER DOWN', subagent_type: 'general-purpose' } },
      ],
    },
    { text: 'Done.' },
  ),
  say('FURTHER DOWN', { toolCalls: [write('further.txt')] }, { text: 'I may not.' }),
  say('SAID BEFORE', { text: 'Answered.' }, { toolCalls: [write('stopped.txt')] }, { text: 'Never.' }),
  say('AGAIN', { toolCalls: [write('again.txt')] }, { text: 'Done.' }),
];

describe.runIf('folder' in found)(`what a program does beside the conversation, by the Claude Agent SDK${why}`, () => {
  let sdk: Sdk;
  let world: SdkWorld;
  beforeAll(async () => {
    sdk = await loadSdk(installed);
    world = await makeSdkWorld(sdk, () => CONVERSATIONS);
  });
  afterAll(() => world.close());

  const bodyOf = (firstUser: string, at: number): string => JSON.stringify(world.requests(firstUser)[at]?.body);
  const isThere = (file: string): boolean => existsSync(path.join(world.folder, file));

  test('files are read as the model may, what it read is seeded, and settings change while it runs', async () => {
    const notes = path.join(world.folder, 'notes.txt');
    const styles = path.join(world.home, '.claude/output-styles');
    writeFileSync(path.join(world.folder, 'secret.txt'), 'hush');
    const options = {
      settings: {
        permissions: {
          deny: ['Read(secret.txt)'],
          allow: ['Write', 'Edit'],
          disableBypassPermissionsMode: 'disable',
        },
      },
      allowDangerouslySkipPermissions: true,
      model: 'sonnet',
    };
    await world.converse('BESIDE', options, [
      async (query) => {
        expect(await query.readFile('notes.txt')).toEqual({ contents: 'one\ntwo\n', absPath: notes, lossy: false });
        expect(await query.readFile('notes.txt', { maxBytes: 3, encoding: 'base64' })).toMatchObject({
          contents: Buffer.from('one').toString('base64'),
          truncated: true,
        });
        expect(await query.readFile('secret.txt')).toBe(null);
        expect(await query.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET()).toMatchObject({
          session: { total_lines_added: 2, total_lines_removed: 0, model_usage: { 'claude-sonnet-5': {} } },
          subscription_type: null,
          rate_limits_available: false,
          rate_limits: null,
        });
        writeFileSync(notes, 'three\n');
        await query.seedReadState('notes.txt', Math.floor(statSync(notes).mtimeMs));
        mkdirSync(styles, { recursive: true });
        writeFileSync(path.join(styles, 'terse.md'), '---\nname: terse\n---\nANSWER IN ONE WORD\n');
        expect(await query.reloadOutputStyles()).toEqual({ available_output_styles: ['default', 'terse'] });
        await query.applyFlagSettings({
          model: 'haiku',
          effortLevel: 'high',
          permissions: { deny: ['Edit(denied.txt)'] },
        });
        await expect(query.applyFlagSettings({ permissions: {}, statusLine: {}, model: 'opus' })).rejects.toThrow(
          /Nothing was applied\. statusLine: does not change while the session runs/,
        );
        await expect(query.applyFlagSettings({ permissions: { defaultMode: 'bypassPermissions' } })).rejects.toThrow(
          /has to be allowed at the start/,
        );
        await expect(query.setPermissionMode('bypassPermissions')).rejects.toThrow(/not be disabled by settings/);
        await expect(query.updateSettings('userSettings', { effortLevel: 'low' })).rejects.toThrow(/effortLevel/);
        await query.updateSettings('localSettings', { outputStyle: 'terse' });
      },
      async (query) => {
        await query.applyFlagSettings({ permissions: null, outputStyle: null });
        expect(await query.readFile('secret.txt')).toBe(null);
      },
      async () => undefined,
    ]);
    expect(readFileSync(notes, 'utf8')).toBe('four\n');
    expect(['made.txt', 'denied.txt', 'allowed.txt'].map(isThere)).toEqual([true, false, true]);
    const local = readFileSync(path.join(world.folder, '.claude/settings.local.json'), 'utf8');
    expect(JSON.parse(local)).toEqual({ outputStyle: 'terse' });
    expect(bodyOf('BESIDE', 2)).toMatch(/ANSWER IN ONE WORD/);
    expect(bodyOf('BESIDE', 2)).toMatch(/"model":"claude-haiku/);
    expect(bodyOf('BESIDE', 4)).not.toMatch(/ANSWER IN ONE WORD/);
  });

  test('a server may be held to asking, its resource read; a program that begins again keeps its hooks', async () => {
    const asked: string[] = [];
    const seen: string[] = [];
    const calc = sdk.createSdkMcpServer({
      name: 'calc',
      tools: [
        {
          name: 'add',
          description: 'adds',
          inputSchema: {},
          handler: async () => ({ content: [{ type: 'text', text: 'the sum is 3' }] }),
        },
      ],
    });
    calc.instance.registerResource('shown', 'ui://calc/shown', {}, async () => ({
      contents: [{ uri: 'ui://calc/shown', mimeType: 'text/html', text: '<b>3</b>' }],
    }));
    const options = {
      mcpServers: { calc },
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      canUseTool: async (name: string) => {
        asked.push(name);
        return { behavior: 'deny', message: 'not that' };
      },
      hooks: { PreToolUse: [{ hooks: [async (input: Message) => (seen.push(String(input['tool_name'])), {})] }] },
    };
    await world.converse('TIGHTER', options, [
      async (query) => {
        expect(asked).toEqual([]);
        expect(await query.setMcpPermissionModeOverride('calc', 'default')).toEqual({});
        expect(await query.setMcpPermissionModeOverride('clac', null)).toEqual({
          warning: expect.stringMatching(/clac/),
        });
        await expect(query.setMcpPermissionModeOverride('calc', 'auto')).rejects.toThrow(/no mode "auto"/);
        expect(await query.readMcpResource('calc', 'ui://calc/shown')).toMatchObject({
          contents: [{ uri: 'ui://calc/shown', text: '<b>3</b>' }],
        });
        await expect(query.readMcpResource('calc', 'file:///etc/passwd')).rejects.toThrow(/ui:\/\//);
        expect(await query.reinitialize()).toMatchObject({ hooks_applied: true, account: {} });
      },
      async () => undefined,
    ]);
    expect(asked).toEqual(['mcp__calc__add']);
    expect(seen).toEqual(['mcp__calc__add', 'mcp__calc__add']);
    expect(bodyOf('TIGHTER', 3)).toMatch(/not that/);
    const again: string[] = [];
    const inTheMiddle: { query: Query | null } = { query: null };
    const query = world.start('AGAIN', {
      canUseTool: async (name: string) => {
        again.push(name);
        if (again.length === 1) await inTheMiddle.query?.reinitialize();
        return { behavior: 'allow' };
      },
    });
    inTheMiddle.query = query;
    const messages: Message[] = [];
    for await (const message of query) messages.push(message);
    expect(resultOf(messages)).toMatchObject({ result: 'Done.' });
    expect(isThere('again.txt')).toBe(true);
  });

  test('an answer about a call changes permissions as it says, a hook that must hold is understood or denies, and an agent is named', async () => {
    const asked: string[] = [];
    const rule = (toolName: string, ruleContent?: string) => ({
      rules: [{ toolName, ruleContent }],
      destination: 'session',
    });
    const answering = (updatedPermissions: unknown) => async (name: string, _input: object, about: Asked) => {
      asked.push(`${name} ${about.suggestions.map(({ destination }) => destination).join()}`);
      return { behavior: 'allow', updatedPermissions };
    };
    const updates = [
      { type: 'addRules', behavior: 'allow', ...rule('Bash', 'touch updated-*') },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
      { type: 'addDirectories', directories: ['/'], destination: 'session' },
    ];
    const told = await world.ask('UPDATED', { canUseTool: answering(updates) });
    expect([asked.splice(0), isThere('updated-2'), isThere('updated-3.txt')]).toEqual([['Bash session'], true, true]);
    expect(told.flatMap(({ content }) => (typeof content === 'string' ? [content] : []))).toEqual([
      expect.stringMatching(/A change of permissions was not made: addDirectories is not done/),
    ]);
    await world.ask('LIMITED BY ANSWER', {
      canUseTool: answering([{ type: 'replaceRules', behavior: 'deny', ...rule('Write') }]),
    });
    expect([asked, isThere('limited-1.txt'), isThere('limited-2.txt')]).toEqual([['Write session'], true, false]);
    for (const onFailure of ['block', 'continue']) {
      const nonsense = async () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'no' } });
      await world.ask('UNCLEAR', {
        allowedTools: ['Write'],
        hooks: { PreToolUse: [{ hooks: [nonsense], onFailure }] },
      });
      expect(isThere('unclear.txt')).toBe(onFailure === 'continue');
    }
    const agents: unknown[] = [];
    const lines = await world.ask('SENT OUT', {
      canUseTool: async (_name: string, _input: object, { agentID }: Asked) => {
        agents.push(agentID);
        return { behavior: 'deny', message: 'not there' };
      },
    });
    expect(agents).toEqual([lines.find(({ subtype }) => subtype === 'task_started')?.['task_id']]);
    expect(resultOf(lines)).toMatchObject({ permission_denials: [{ tool_input: { file_path: 'further.txt' } }] });
  });

  test('documents and pasted texts reach the model, what asks for no answer waits, and no prompt has the answer of another', async () => {
    const document = (source: unknown) => ({ type: 'document', source, title: 'About tea' });
    const plain = { type: 'text', media_type: 'text/plain', data: 'TEA IS GREEN' };
    const pdf = {
      type: 'base64',
      media_type: 'application/pdf',
      data: Buffer.from(pdfOf('of coffee')).toString('base64'),
    };
    const { promise: next, resolve: goOn } = Promise.withResolvers<void>();
    async function* prompts() {
      yield { ...userMessage('SAID BEFORE'), shouldQuery: false };
      yield {
        ...userMessage([
          { type: 'text', text: 'One.' },
          document(plain),
          document(pdf),
          { type: 'text', text: 'Two.' },
        ]),
        pasted_content: ['PASTED'],
      };
      await next;
      yield userMessage('and on');
    }
    const stops = async () => ({ continue: false, stopReason: 'enough' });
    const results: unknown[] = [];
    const systemPrompt = ['ALWAYS SO', '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__', 'SO TODAY'];
    const query = world.start(prompts(), { systemPrompt, hooks: { PreToolUse: [{ hooks: [stops] }] } });
    const failure = await (async () => {
      for await (const message of query) {
        if (message.type !== 'result') continue;
        results.push(message['subtype'], message['result']);
        goOn();
      }
    })().catch(String);
    expect(failure).toMatch(/A hook stopped the work: enough/);
    expect(results).toEqual(['success', 'Answered.', 'error_during_execution', 'A hook stopped the work: enough']);
    expect(world.requests('SAID BEFORE')).toHaveLength(2);
    expect(bodyOf('SAID BEFORE', 0)).toMatch(
      /SAID BEFORE\\n\\nOne\.\\n\\n\[document: About tea\]\\nTEA IS GREEN[^]*of coffee[^]*Two\.\\n\\nPASTED/,
    );
    expect(bodyOf('SAID BEFORE', 0)).toMatch(/"text":"ALWAYS SO\\n\\nSO TODAY"/);
    const refused = async (content: unknown) =>
      resultOf(
        await world.answered(
          (async function* () {
            yield userMessage(content);
          })(),
        ),
      );
    expect(await refused([document({ type: 'url', url: 'https://a.test/a.pdf' })])).toMatchObject({
      is_error: true,
      errors: [expect.stringMatching(/line 2 of stdin has a document that can not be read here/)],
    });
    expect(await refused([{ type: 'search_result' }])).toMatchObject({
      errors: [expect.stringMatching(/content of the type "search_result": expected text, image or document/)],
    });
  });

  test('plugins are read again, with further ones: commands, agents, hooks and servers', async () => {
    const plugin = path.join(world.other, 'late');
    for (const folder of ['.claude-plugin', 'commands', 'agents', 'hooks'])
      mkdirSync(path.join(plugin, folder), { recursive: true });
    const files = {
      '.claude-plugin/plugin.json': '{"name":"late"}',
      'commands/greet.md': 'Say hello.',
      'agents/helper.md': '---\nname: helper\ndescription: helps\n---\nHelp.\n',
      'hooks/hooks.json': JSON.stringify({
        hooks: {
          PreToolUse: [
            { matcher: 'Write', hooks: [{ type: 'command', command: 'echo a plugin guards it >&2; exit 2' }] },
          ],
        },
      }),
      '.mcp.json': JSON.stringify({ mcpServers: { summing: { command: process.execPath, args: [SUM_SERVER] } } }),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(plugin, name), text);
    await world.converse('PLUGGED', { allowedTools: ['Write'] }, [
      async (query) => {
        await expect(query.reloadPlugins({ addPlugins: [{ type: 'local', path: 'late' }] })).rejects.toThrow(
          /absolute/,
        );
        const aside = { type: 'local', path: plugin, skipMcpDiscovery: true };
        await expect(query.reloadPlugins({ addPlugins: [aside] })).rejects.toThrow(/skipMcpDiscovery is not done/);
        await expect(query.reloadPlugins({ holdOnCacheImpact: true })).rejects.toThrow(
          /hold_on_cache_impact is not done/,
        );
        const read = await query.reloadPlugins({ addPlugins: [{ type: 'local', path: plugin }], refuseIfBusy: true });
        expect(read).toMatchObject({ plugins: [{ name: 'late', path: plugin }], error_count: 0 });
        expect(read.commands).toContainEqual(expect.objectContaining({ name: 'late:greet' }));
        expect(read.agents).toContainEqual(expect.objectContaining({ name: 'late:helper' }));
        expect(read.mcpServers).toContainEqual(expect.objectContaining({ status: 'connected' }));
      },
      async () => undefined,
    ]);
    expect(bodyOf('PLUGGED', 1)).toMatch(/late:helper/);
    expect(bodyOf('PLUGGED', 1)).toMatch(/get-sum/);
    expect(bodyOf('PLUGGED', 2)).toMatch(/a plugin guards it/);
    expect(isThere('guarded.txt')).toBe(false);
  });

  test('what the model waits for is left to go on: a command and an agent', async () => {
    const lines: Message[] = [];
    const left: unknown[] = [];
    const onMessage = async (message: Message, query: Query) => {
      lines.push(message);
      const { calls, text } = saidIn(message);
      if (text === 'All went on.') for (const id of agentsIn(lines)) await query.stopTask(id);
      const [call] = calls;
      if (call === undefined || left.length === 2) return;
      expect(await query.backgroundTasks('toolu_nobody')).toBe(false);
      while (!(await query.backgroundTasks(call.id))) await new Promise((resolve) => void setTimeout(resolve, 20));
      left.push(call.id);
    };
    await world.converse('LEFT BEHIND', { allowedTools: ['Bash'], onMessage }, [async () => undefined]);
    expect(left).toHaveLength(2);
    expect(resultOf(lines)).toMatchObject({ result: 'All went on.' });
    const ended = lines.filter(({ subtype }) => subtype === 'task_notification');
    expect(ended).toContainEqual(expect.objectContaining({ status: 'stopped' }));
    expect(world.unexpected()).toEqual([]);
  });
});

type Asked = {
  readonly agentID?: string;
  readonly suggestions: ReadonlyArray<{ readonly destination: string }>;
};

/** One page with one line on it; readers find the parts of a PDF without its table of them. */
function pdfOf(line: string): string {
  const text = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  const parts = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  return `%PDF-1.4\n${parts.map((part, at) => `${at + 1} 0 obj\n${part}\nendobj\n`).join('')}trailer << /Root 1 0 R >>\n`;
}

type Call = { readonly id: string };

type Block = Call & { readonly type: string; readonly text?: string };

/** What the model itself says, not an agent of it. */
function saidIn({ type, message, parent_tool_use_id: parent }: Message) {
  const { content = [] }: { readonly content?: ReadonlyArray<Block> } =
    type === 'assistant' && typeof parent !== 'string' ? Object(message) : {};
  const calls: ReadonlyArray<Call> = content.filter((block) => block.type === 'tool_use');
  return { calls, text: content.find((block) => block.type === 'text')?.text };
}

/** The agents that run in the background. */
function agentsIn(lines: ReadonlyArray<Message>): ReadonlyArray<string> {
  const { tasks = [] }: { readonly tasks?: ReadonlyArray<Readonly<Record<'task_id', unknown>>> } = Object(
    lines.findLast(({ subtype }) => subtype === 'background_tasks_changed'),
  );
  return tasks.map(({ task_id: id }) => String(id)).filter((id) => !id.startsWith('bash_'));
}
