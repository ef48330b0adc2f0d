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
