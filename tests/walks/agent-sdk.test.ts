import { randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installedClaudeSdk } from '@attractor/executor/testing';
import { findSandbox } from '@attractor/confine';
import { DONE_REQUESTS, readInitialize, readWireAgents, REFUSED_REQUESTS } from '@attractor/headless';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SDK_MESSAGES } from './test-support/agent-sdk-messages.ts';
import { SDK_METHODS } from './test-support/agent-sdk-methods.ts';
import { SDK_OPTIONS } from './test-support/agent-sdk-options.ts';
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
const ROOT = path.join(import.meta.dirname, '../..');
const found = await installedClaudeSdk();
const installed = 'folder' in found ? found.folder : '';
const why = 'missing' in found ? `, not tried here: ${found.missing}` : '';

const say = (name: string, ...turns: ReadonlyArray<unknown>): unknown => ({ name, match: { firstUser: name }, turns });
const write = (file: string): unknown => ({ use: 'write', path: file, content: 'x' });

const CONVERSATIONS: ReadonlyArray<unknown> = [
  {
    name: 'busy',
    match: { firstUser: 'FALLBACK', model: { contains: 'opus' } },
    turns: [{ text: 'no', fault: [{ kind: 'overloaded', times: 'forever' }] }],
  },
  say('FALLBACK', { text: 'I stand in.' }),
  say(
    'BASICS',
    {
      text: 'So:',
      toolCalls: [{ name: 'mcp__calc__add', args: { a: 1, b: 2 } }, write('guarded.txt'), write('OTHER/made.txt')],
    },
    { expect: [{ toolResult: 'the sum is 3' }, { toolResult: 'a hook guards this' }], text: 'Done.' },
    { text: 'Gone on.', repeat: 'forever' },
  ),
  say('ASKED', { toolCalls: [write('asked.txt')] }, { text: 'So be it.' }),
  say('AT THE DOOR', { toolCalls: [write('gated.txt')] }, { text: 'So be it.' }),
  say('CHANGED', { toolCalls: [write('meant.txt')] }, { text: 'So be it.' }),
  say(
    'QUESTION',
    {
      toolCalls: [
        {
          name: 'AskUserQuestion',
          args: {
            questions: [
              {
                question: 'Which?',
                header: 'Which',
                options: [
                  { label: 'A', description: 'a' },
                  { label: 'B', description: 'b' },
                ],
              },
            ],
          },
        },
      ],
    },
    { expect: { toolResult: 'B' }, text: 'B then.' },
  ),
  say(
    'STOPPED',
    { toolCalls: [{ use: 'shell', command: 'sleep 600' }] },
    { text: 'Next.' },
    { toolCalls: [write('mode.txt')] },
    { text: 'Written.' },
  ),
  say(
    'STEERED',
    { toolCalls: [{ use: 'shell', command: 'until [ -e go ]; do sleep 0.05; done' }] },
    { expect: { body: 'and mind the gap' }, text: 'I mind it.' },
  ),
  say('FREE', { toolCalls: [{ use: 'shell', command: 'touch OTHER/free.txt' }] }, { text: 'Done.' }),
  say('TIED', { toolCalls: [{ use: 'shell', command: 'touch OTHER/tied.txt' }] }, { text: 'Done.' }),
  say('HELD', { toolCalls: [{ use: 'shell', command: 'echo held-here' }] }, { text: 'Done.' }),
  say('SHAPED', { text: '{"sum":3}' }),
  say('/verbatim', { text: 'As written.' }),
  say(
    'DELEGATED',
    { toolCalls: [{ name: 'Task', args: { description: 'look', prompt: 'LOOK AROUND', subagent_type: 'scout' } }] },
    { expect: { toolResult: 'Nothing here.' }, text: 'Nothing.' },
  ),
  say('IN PLACE', { text: 'Looked.' }),
  say('LOOK AROUND', { text: 'Nothing here.' }),
  say('LIMITED', { toolCalls: [{ use: 'read', path: 'notes.txt' }], repeat: 'forever' }),
  say('PLANNED', { toolCalls: [write('planned.txt')] }, { text: 'I may not.' }),
  say(
    'ELICITED',
    { toolCalls: [{ name: 'mcp__asking__ask', args: {} }] },
    { expect: { toolResult: 'blue' }, text: 'Blue.' },
  ),
  say('MANAGED', { toolCalls: [{ use: 'read', path: 'notes.txt' }] }, { text: 'Hm.' }),
  say('PLAIN', { text: 'Hello.', repeat: 'forever' }),
  say('HOOKED', { text: 'Hello.' }),
  say('SERVERS', { text: 'Well.', repeat: 'forever' }),
  say(
    'LEFT',
    {
      toolCalls: [
        { name: 'Bash', args: { command: 'sleep 600', run_in_background: true } },
        {
          name: 'Task',
          args: { description: 'd', prompt: 'TAKE LONG', subagent_type: 'general-purpose', run_in_background: true },
        },
      ],
    },
    { text: 'Both are at work.', repeat: 'forever' },
  ),
  say('TAKE LONG', { text: 'x', delayMs: 600_000 }),
  say('ENDLESS', { text: 'x', delayMs: 600_000 }),
];

describe.runIf('folder' in found)(`the Claude Agent SDK with our command as its executable${why}`, () => {
  let sdk: Sdk;
  let world: SdkWorld;
  beforeAll(async () => {
    sdk = await loadSdk(installed);
    world = await makeSdkWorld(sdk, (other) => JSON.parse(JSON.stringify(CONVERSATIONS).replaceAll('OTHER', other)));
  });
  afterAll(() => world.close());

  const bodyOf = (firstUser: string, at = 0): string => JSON.stringify(world.requests(firstUser)[at]?.body);
  const isThere = (file: string): boolean => existsSync(path.join(world.folder, file));

  test('the list of options is that of its types', () => {
    const types = readFileSync(path.join(installed, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts'), 'utf8');
    const [, options = ''] = /^export declare type Options = \{\r?\n([^]*?)^\};/m.exec(types) ?? [];
    const names = [...options.matchAll(/^ {4}(\w+)\??:/gm)].map(([, name]) => name);
    expect(Object.keys(SDK_OPTIONS)).toEqual(names);
  });

  test('the list of messages is that of its types, and what is printed is what can be written', () => {
    const types = readFileSync(path.join(installed, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts'), 'utf8');
    const [, union = ''] = /^export declare type SDKMessage = (.*);$/m.exec(types) ?? [];
    expect(Object.keys(SDK_MESSAGES)).toEqual(union.split(' | '));
    const sources = ['stream-json', 'headless'].flatMap((name) =>
      globSync(`packages/${name}/src/**/*.ts`, { cwd: ROOT }),
    );
    const text = sources
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
      .join('\n');
    const isWritten = (word: string): boolean => new RegExp(`(?:type: |[tT]ell(?:IfChanged)?\\()'${word}'`).test(text);
    const printed = Object.values(SDK_MESSAGES).filter(({ never }) => never !== true);
    const words = (rows: typeof printed) => rows.map(({ line }) => line.split(',')[0] ?? '');
    expect(words(printed).filter((word) => !isWritten(word))).toEqual([]);
    expect(words(Object.values(SDK_MESSAGES).filter(({ never }) => never)).filter(isWritten)).toEqual([]);
    for (const [name, { line }] of Object.entries(SDK_MESSAGES)) {
      const word = line.split(',')[0] ?? '';
      expect(
        name === 'SDKResultMessage' || new RegExp(`type ${name} = \\{[^]*?type: '${word}'`).test(types),
        name,
      ).toBe(true);
    }
  });

  test('every request of its types is done, or refused by name', () => {
    const types = readFileSync(path.join(installed, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts'), 'utf8');
    const [, union = ''] = /^declare type SDKControlRequestInner = (.*);$/m.exec(types) ?? [];
    const subtypes = union.split(' | ').map((name) => {
      const [, subtype] = new RegExp(`type ${name} = \\{\\s+subtype: '(\\w+)'`).exec(types) ?? [];
      return subtype;
    });
    expect(subtypes.length).toBeGreaterThan(35);
    const known = new Set([...DONE_REQUESTS, ...Object.keys(REFUSED_REQUESTS), ...ASKED_BY_US]);
    expect(subtypes.filter((subtype) => subtype === undefined || !known.has(subtype))).toEqual([]);
    for (const [subtype, reason] of Object.entries(REFUSED_REQUESTS)) expect(reason).toContain(subtype);
  });

  test('every field of what a program gives is read, or refused by name', async () => {
    const types = readFileSync(path.join(installed, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts'), 'utf8');
    const fieldsOf = (name: string): ReadonlyArray<string> => {
      const [, body = ''] =
        new RegExp(`^(?:export )?declare type ${name} = \\{\\r?\\n([^]*?)^\\}`, 'm').exec(types) ?? [];
      const fields = [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, field]) => String(field));
      expect(fields.length, name).toBeGreaterThan(2);
      return fields;
    };
    const channel = { request: async () => await Promise.reject(new Error('not asked')) };
    const initialize = (request: object) => readInitialize({ type: 'control_request', request }, channel);
    const unknown = (name: string, refused: (field: string) => ReadonlyArray<string>) =>
      fieldsOf(name).filter((field) => refused(field).some((line) => line.includes('is not known here')));
    expect(unknown('SDKControlInitializeRequest', (field) => initialize({ [field]: 'x' }).refused)).toEqual([]);
    const agent = (field: string) => readWireAgents({ a: { description: 'd', prompt: 'p', [field]: 'x' } }).refused;
    expect(unknown('AgentDefinition', agent)).toEqual([]);
    for (const event of sdk.HOOK_EVENTS) {
      const { hooks, refused } = initialize({ hooks: { [event]: [{ hookCallbackIds: ['a'] }] } });
      expect(hooks.length === 1 || refused.join().includes(`hooks.${event}`), event).toBe(true);
    }
    const server = { sdkMcpServers: ['a'], sdkMcpServerConfigs: { a: { timeout: 2_000 } } };
    expect(initialize(server).hostServers).toEqual([{ name: 'a', callTimeoutMs: 2_000 }]);
    for (const [name, fields] of Object.entries(READ_FIELDS)) expect(fieldsOf(name), name).toEqual(fields.split(' '));
    const functions = [...types.matchAll(/^export declare function (\w+)/gm)].map(([, name]) => name);
    expect(functions).toEqual(FUNCTIONS.split(' '));
    const updates = [...types.matchAll(/^export declare type PermissionUpdate = \{[^]*?^\};/gm)].join('');
    expect([...updates.matchAll(/ {4}type: '(\w+)'/g)].map(([, type]) => type)).toEqual(PERMISSION_UPDATES);
  });

  test('every method of its types is in the list, and what it sends is done, or refused by name', () => {
    const types = readFileSync(path.join(installed, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts'), 'utf8');
    const [, methods = ''] = /^export declare interface Query extends [^{]*\{\r?\n([^]*?)^\}/m.exec(types) ?? [];
    expect(Object.keys(SDK_METHODS)).toEqual([...methods.matchAll(/^ {4}(\w+)\(/gm)].map(([, name]) => name));
    const source = readFileSync(path.join(installed, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs'), 'utf8');
    for (const [name, { by, effect }] of Object.entries(SDK_METHODS)) {
      if (by === null) continue;
      expect(source, name).toContain(`subtype:"${by}"`);
      expect([...DONE_REQUESTS, ...Object.keys(REFUSED_REQUESTS)], name).toContain(by);
      expect(effect === '', name).toBe(Object.hasOwn(REFUSED_REQUESTS, by));
    }
  });

  test('model, effort, system prompt, rules, hooks, a server in this process, folders, partial messages, the session: each has its effect', async () => {
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
    const id = randomUUID();
    const seen: unknown[] = [];
    const told: string[] = [];
    const stray = path.join(world.home, '.claude.json');
    writeFileSync(stray, JSON.stringify({ mcpServers: { stray: { command: 'true' } } }));
    const messages = await world.ask('BASICS', {
      model: 'sonnet',
      sessionId: id,
      effort: 'high',
      debug: true,
      stderr: (text: string) => void told.push(text),
      systemPrompt: { type: 'preset', preset: 'claude_code', append: 'SAID BEHIND' },
      additionalDirectories: [world.other],
      allowedTools: ['Write', 'Edit', 'mcp__calc'],
      disallowedTools: ['WebFetch'],
      mcpServers: { calc },
      strictMcpConfig: true,
      includePartialMessages: true,
      includeHookEvents: true,
      hooks: {
        PreToolUse: [
          {
            matcher: 'Write',
            hooks: [
              async (input: { readonly tool_input: { readonly file_path: string } }) => {
                seen.push(input.tool_input.file_path);
                return input.tool_input.file_path.includes('guarded')
                  ? {
                      hookSpecificOutput: {
                        hookEventName: 'PreToolUse',
                        permissionDecision: 'deny',
                        permissionDecisionReason: 'a hook guards this',
                      },
                    }
                  : {};
              },
            ],
          },
        ],
      },
    });
    expect(resultOf(messages)).toMatchObject({ subtype: 'success', result: 'Done.', session_id: id });
    rmSync(stray);
    expect(messages[0]).toMatchObject({ subtype: 'init', cwd: world.folder });
    expect(messages[0]?.['mcp_servers']).toEqual([{ name: 'calc', status: 'connected' }]);
    expect(bodyOf('BASICS')).toMatch(/"effort":"high"/);
    expect(messages[0]?.['tools']).toContain('mcp__calc__add');
    expect(messages[0]?.['tools']).not.toContain('WebFetch');
    expect(seen).toHaveLength(2);
    expect(told.join('')).toMatch(/\[debug\] \S+ TOOL_CALL_START .*mcp__calc__add/);
    expect(isThere('guarded.txt')).toBe(false);
    expect(existsSync(path.join(world.other, 'made.txt'))).toBe(true);
    expect(bodyOf('BASICS')).toMatch(/SAID BEHIND/);
    expect(world.requests('BASICS')[0]?.body).toMatchObject({ model: expect.stringMatching(/^claude-sonnet-5/) });
    expect(messages.filter(({ subtype }) => subtype === 'hook_response').length).toBeGreaterThan(0);
    expect(partsOf(messages)).toEqual([
      'message_start',
      'content_block_start text',
      'content_block_delta text_delta',
      'content_block_stop',
      ...[0, 1, 2].flatMap(() => [
        'content_block_start tool_use',
        'content_block_delta input_json_delta',
        'content_block_stop',
      ]),
      'message_delta',
      'message_stop',
    ]);
    const gone = await world.ask('BASICS', { resume: id });
    expect(resultOf(gone)).toMatchObject({ result: 'Gone on.', session_id: id });
    const forked = resultOf(await world.ask('and on', { continue: true, forkSession: true }));
    expect(forked).toMatchObject({ result: 'Gone on.' });
    expect(forked['session_id']).not.toBe(id);
  });

  test('canUseTool denies, changes and answers; without it, and with permissionPrompts none, nobody is asked', async () => {
    const denies = async () => ({ behavior: 'deny', message: 'not this one' });
    const denied = await world.ask('ASKED', { permissionMode: 'default', canUseTool: denies });
    expect(resultOf(denied)).toMatchObject({ permission_denials: [{ tool_name: 'write_file' }] });
    expect(bodyOf('ASKED', 1)).toMatch(/not this one/);
    const alone = await world.ask('ASKED', {
      permissionPrompts: 'none',
      canUseTool: async () => ({ behavior: 'allow' }),
    });
    expect(resultOf(alone)).toMatchObject({ permission_denials: [{ tool_name: 'write_file' }] });
    expect(isThere('asked.txt')).toBe(false);
    await world.ask('CHANGED', {
      canUseTool: async (name: string, input: object) => ({
        behavior: 'allow',
        updatedInput: { ...input, file_path: `${name}.txt` },
      }),
    });
    expect([isThere('meant.txt'), isThere('Write.txt')]).toEqual([false, true]);
    const gate = sdk.createSdkMcpServer({
      name: 'gate',
      tools: [
        {
          name: 'ask',
          description: 'decides',
          inputSchema: {},
          handler: async () => ({
            content: [{ type: 'text', text: JSON.stringify({ behavior: 'deny', message: 'the gate is shut' }) }],
          }),
        },
      ],
    });
    await world.ask('AT THE DOOR', { permissionPromptToolName: 'mcp__gate__ask', mcpServers: { gate } });
    expect(bodyOf('AT THE DOOR', 1)).toMatch(/the gate is shut/);
    expect(isThere('gated.txt')).toBe(false);
    const chosen = await world.ask('QUESTION', {
      canUseTool: async (_name: string, input: object) => ({
        behavior: 'allow',
        updatedInput: { ...input, answers: { 'Which?': 'B' } },
      }),
    });
    expect(resultOf(chosen)).toMatchObject({ result: 'B then.' });
  });

  test('interrupt ends the prompt only; mode and model change while it runs', async () => {
    const { promise: next, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: rewound, resolve: end } = Promise.withResolvers<void>();
    const written = randomUUID();
    async function* prompts() {
      yield userMessage('STOPPED');
      await next;
      yield userMessage('go on');
      yield { ...userMessage('and write'), uuid: written };
      await rewound;
    }
    const query = world.start(prompts(), {
      allowedTools: ['Bash'],
      allowDangerouslySkipPermissions: true,
      enableFileCheckpointing: true,
    });
    const results: Message[] = [];
    for await (const message of query) {
      if (message.type === 'assistant' && results.length === 0) await query.interrupt();
      if (message.type === 'result') results.push(message);
      if (message.type === 'result' && results.length === 3) {
        expect(isThere('mode.txt')).toBe(true);
        expect(await query.rewindFiles(written, { dryRun: true })).toMatchObject({ filesChanged: ['mode.txt'] });
        expect(await query.rewindFiles(written)).toMatchObject({ canRewind: true, filesChanged: ['mode.txt'] });
        end();
      }
      if (message.type !== 'result' || results.length !== 1) continue;
      await query.setPermissionMode('bypassPermissions');
      await query.setModel('haiku');
      await query.setMaxThinkingTokens(8_000);
      expect(await query.rewindFiles('x')).toMatchObject({ canRewind: false, error: expect.stringContaining('x') });
      expect(await query.reloadSkills()).toEqual({ skills: [] });
      expect(await query.reloadPlugins()).toMatchObject({ plugins: [], error_count: 0 });
      goOn();
    }
    expect(results).toMatchObject([
      { subtype: 'error_during_execution', is_error: false, terminal_reason: 'aborted_tools' },
      { subtype: 'success', result: 'Next.' },
      { subtype: 'success', result: 'Written.' },
    ]);
    expect(isThere('mode.txt')).toBe(false);
    expect(world.requests('STOPPED').at(-1)?.body).toMatchObject({ model: expect.stringMatching(/haiku/) });
  });

  test('servers are started anew, switched off and on, and replaced; tasks are stopped one by one', async () => {
    const starts = path.join(world.home, 'starts');
    const program = `echo started >> ${starts}; exec ${process.execPath} ${SUM_SERVER}`;
    const sum = { command: '/bin/sh', args: ['-c', program] };
    const inside = (name: string) =>
      sdk.createSdkMcpServer({
        name,
        tools: [{ name: 'add', description: 'adds', inputSchema: {}, handler: async () => ({ content: [] }) }],
      });
    const steps: ReadonlyArray<(query: Query) => Promise<void>> = [
      async (query) => {
        await query.reconnectMcpServer('sum');
        expect(readFileSync(starts, 'utf8')).toBe('started\nstarted\n');
        await query.toggleMcpServer('sum', false);
        expect(await query.mcpServerStatus()).toContainEqual({ name: 'sum', status: 'disabled' });
        await expect(query.reconnectMcpServer('nobody')).rejects.toThrow(/no MCP server nobody\. Known: .*sum/);
      },
      async (query) => {
        await query.toggleMcpServer('sum', true);
        const set = { late: sum, inner: inside('inner') };
        expect(await query.setMcpServers(set)).toEqual({ added: ['late', 'inner'], removed: ['calc'], errors: {} });
        expect(await query.setMcpServers(set)).toEqual({ added: [], removed: [], errors: {} });
      },
      async (query) => {
        const set = {
          bad: { command: '/nowhere/bad' },
          held: { ...sum, tools: [{ name: 'a', permission_policy: 'x' }] },
        };
        expect(await query.setMcpServers(set)).toEqual({
          added: ['bad'],
          removed: ['late', 'inner'],
          errors: { bad: expect.stringMatching(/bad did not start/), held: expect.stringMatching(/disallowedTools/) },
        });
      },
    ];
    await world.converse('SERVERS', { mcpServers: { sum, calc: inside('calc') } }, [...steps, async () => undefined]);
    const servers = world.requests('SERVERS').map(({ body }) => {
      const { tools }: { readonly tools: ReadonlyArray<{ readonly name: string }> } = Object(body);
      return tools
        .map(({ name }) => name.split('__')[1])
        .filter((name) => name !== undefined)
        .toSorted();
    });
    expect(servers).toEqual([['calc', 'sum'], ['calc'], ['inner', 'late', 'sum'], ['sum']]);

    const lines: Message[] = [];
    const onMessage = async (message: Message, query: Query) => {
      lines.push(message);
      if (message['subtype'] === 'background_tasks_changed' && tasksIn(lines).length === 2) await query.interrupt();
    };
    await world.converse('LEFT', { allowedTools: ['Bash'], perTaskStopAffordance: true, onMessage }, [
      async (query) => {
        for (const { task_id: id } of tasksIn(lines)) await query.stopTask(String(id));
        await expect(query.stopTask('bash_1')).rejects.toThrow(/bash_1 is over \(killed\)/);
        await expect(query.stopTask('bash_9')).rejects.toThrow(/no task bash_9/);
      },
      async () => undefined,
    ]);
    expect(tasksIn(lines)).toEqual([]);
    const ended = lines.filter(({ subtype }) => subtype === 'task_notification');
    expect(ended).toMatchObject([{ task_id: 'bash_1', status: 'stopped' }, { status: 'stopped' }]);
    expect(JSON.stringify(world.requests('LEFT').at(-1)?.body)).toMatch(/It was stopped before it was done/);
  });

  test('a message that comes while the agent works steers it', async () => {
    async function* prompts() {
      yield userMessage('STEERED');
      await begun;
      yield userMessage('and mind the gap');
      writeFileSync(path.join(world.folder, 'go'), '');
    }
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const query = world.start(prompts(), { allowedTools: ['Bash'] });
    const results: unknown[] = [];
    for await (const message of query) {
      if (message.type === 'assistant') resolve();
      if (message.type === 'result') results.push(message['result']);
    }
    expect(results).toEqual(['I mind it.']);
  });

  test('what a hook says is told while it runs', async () => {
    const wait = 'printf "half"; echo warned >&2; until [ -e released ]; do sleep 0.05; done; echo " and whole"';
    const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: wait }] }] };
    const heard: Message[] = [];
    for await (const message of world.start('HOOKED', { settings: { hooks }, includeHookEvents: true })) {
      if (!String(message['subtype']).startsWith('hook_')) continue;
      heard.push(message);
      if (message['stdout'] === 'half' && message['stderr'] === 'warned\n')
        writeFileSync(path.join(world.folder, 'released'), '');
    }
    const about = { hook_id: heard[0]?.['hook_id'], hook_event: 'UserPromptSubmit', hook_name: wait };
    expect(heard[0]).toMatchObject({ ...about, subtype: 'hook_started' });
    expect(heard.find((one) => one['subtype'] === 'hook_progress')).toMatchObject({ ...about, type: 'system' });
    expect(heard.at(-1)).toMatchObject({ ...about, subtype: 'hook_response', stdout: 'half and whole' });
  });

  test('output format, tools, a whole system prompt, setting sources, verbatim prompts, nothing kept, thinking, env', async () => {
    writeFileSync(path.join(world.folder, 'CLAUDE.md'), 'OF THE PROJECT');
    const messages = await world.ask('SHAPED', {
      outputFormat: {
        type: 'json_schema',
        schema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      },
      tools: ['Read'],
      systemPrompt: 'YOU ADD',
      settingSources: [],
      persistSession: false,
      thinking: { type: 'enabled', budgetTokens: 20_000 },
    });
    const result = resultOf(messages);
    expect(result).toMatchObject({ structured_output: { sum: 3 } });
    expect(messages[0]?.['tools']).toEqual(['read_file', 'structured_output']);
    expect(bodyOf('SHAPED')).toMatch(/"text":"YOU ADD"/);
    expect(bodyOf('SHAPED')).not.toMatch(/OF THE PROJECT/);
    expect(bodyOf('SHAPED')).toMatch(/"budget_tokens":16384/);
    expect(await world.failure('PLAIN', { resume: result['session_id'] })).toMatch(/no session/i);
    await world.ask('/verbatim', {
      settingSources: [],
      verbatimPrompts: true,
      maxThinkingTokens: 5_000,
      extraArgs: { 'allow-unsandboxed': null, 'append-system-prompt': 'SAID BY A FLAG' },
    });
    expect(bodyOf('/verbatim')).not.toMatch(/OF THE PROJECT/);
    expect(bodyOf('/verbatim')).toMatch(
      /"budget_tokens":4096[^]*SAID BY A FLAG|SAID BY A FLAG[^]*"budget_tokens":4096/,
    );
    await world.ask('PLAIN', { settingSources: ['project'] });
    expect(bodyOf('PLAIN')).toMatch(/OF THE PROJECT/);
  });

  test('agents, their text, plugins both ways, skills', async () => {
    const plugin = path.join(world.other, 'tools');
    for (const folder of ['.claude-plugin', 'commands', 'skills/one', 'skills/two'])
      mkdirSync(path.join(plugin, folder), { recursive: true });
    writeFileSync(path.join(plugin, '.claude-plugin/plugin.json'), '{"name":"tools"}');
    writeFileSync(path.join(plugin, 'commands/greet.md'), 'Say hello.');
    for (const skill of ['one', 'two'])
      writeFileSync(
        path.join(plugin, `skills/${skill}/SKILL.md`),
        `---\nname: ${skill}\ndescription: d\n---\nDo it.\n`,
      );
    const messages = await world.ask('DELEGATED', {
      agents: { scout: { description: 'looks', prompt: 'YOU SCOUT', tools: ['Read'] } },
      forwardSubagentText: true,
      plugins: [{ type: 'local', path: plugin }],
      skills: ['one'],
    });
    expect(resultOf(messages)).toMatchObject({ result: 'Nothing.' });
    expect(messages[0]).toMatchObject({ agents: expect.arrayContaining(['scout']), skills: ['tools:one'] });
    expect(messages[0]?.['slash_commands']).toContain('tools:greet');
    expect(bodyOf('LOOK AROUND')).toMatch(/YOU SCOUT/);
    const inner = messages.find((message) => typeof message['parent_tool_use_id'] === 'string');
    expect(JSON.stringify(inner)).toMatch(/Nothing here/);
    const tasks = messages.filter((message) => String(message['subtype']).startsWith('task_'));
    const task = { tool_use_id: inner?.['parent_tool_use_id'], task_id: tasks[0]?.['task_id'] };
    expect(tasks).toMatchObject([
      { subtype: 'task_started', ...task, subagent_type: 'scout', prompt: 'LOOK AROUND' },
      { subtype: 'task_updated', task_id: task.task_id, patch: { status: 'completed' } },
      { subtype: 'task_notification', ...task, status: 'completed', summary: 'Nothing here.' },
    ]);
    const scout = { description: 'looks', prompt: 'YOU LOOK', tools: ['Read'], model: 'haiku' };
    const [init] = await world.ask('IN PLACE', { agent: 'scout', agents: { scout }, model: undefined });
    expect(init?.['tools']).toEqual(['read_file']);
    expect(bodyOf('IN PLACE')).toMatch(/"model":"claude-haiku[^]*YOU LOOK/);
    const query = world.start('PLAIN', { plugins: [{ type: 'local', path: plugin }], pluginDelivery: 'initialize' });
    const names = await query.supportedCommands();
    for await (const _message of query) continue;
    expect(names.map(({ name }) => name)).toContain('tools:greet');
  });

  test('limits, plan mode, settings of every kind, a fallback model, a server that asks', async () => {
    expect(resultOf(await world.answered('LIMITED', { maxTurns: 2 }))).toMatchObject({
      subtype: 'error_max_turns',
      num_turns: 2,
    });
    expect(resultOf(await world.answered('LIMITED', { maxBudgetUsd: 0.000_001 }))).toMatchObject({
      subtype: 'error_max_budget_usd',
    });
    await world.ask('PLANNED', { permissionMode: 'plan', planModeInstructions: 'PLAN LIKE THIS' });
    expect(isThere('planned.txt')).toBe(false);
    expect(bodyOf('PLANNED')).toMatch(/PLAN LIKE THIS/);
    const managed = await world.ask('MANAGED', {
      settings: { permissions: { deny: ['Read(notes.txt)'] } },
      sandbox: { enabled: false },
      managedSettings: { permissions: { deny: ['Bash'] } },
    });
    expect(bodyOf('MANAGED', 1)).toMatch(/Denied/);
    expect(managed[0]?.['tools']).not.toContain('shell');
    const stood = await world.ask('FALLBACK', { model: 'claude-opus-4-1', fallbackModel: 'claude-sonnet-4-5' });
    expect(resultOf(stood)).toMatchObject({ result: 'I stand in.' });
    const asking = sdk.createSdkMcpServer({
      name: 'asking',
      tools: [
        {
          name: 'ask',
          description: 'asks',
          inputSchema: {},
          handler: async () => {
            const requestedSchema = { type: 'object', properties: { colour: { type: 'string' } } };
            const { content } = await asking.instance.server.elicitInput({ message: 'Which?', requestedSchema });
            return { content: [{ type: 'text', text: String(content?.['colour']) }] };
          },
        },
      ],
    });
    const elicited = await world.ask('ELICITED', {
      mcpServers: { asking },
      allowedTools: ['mcp__asking'],
      onElicitation: async () => ({ action: 'accept', content: { colour: 'blue' } }),
    });
    expect(resultOf(elicited)).toMatchObject({ result: 'Blue.' });
    const controller = new AbortController();
    const endless = world.failure('ENDLESS', { abortController: controller });
    while (world.requests('ENDLESS').length === 0) await new Promise((resolve) => void setTimeout(resolve, 50));
    controller.abort();
    expect(await endless).toMatch(/abort/i);
  });

  test('the sandbox is as the option says, and the steps are in the file that was asked for', async () => {
    const log = path.join(world.home, 'debug.log');
    const told: string[] = [];
    const stderr = (text: string) => void told.push(text);
    await world.ask('HELD', { allowedTools: ['Bash'], debugFile: log });
    expect(readFileSync(log, 'utf8')).toMatch(/\[debug\] \S+ TOOL_CALL_END .*held-here/);
    if (!(await findSandbox({ roots: [] })).available) return;
    const own = { allowedTools: ['Bash'], extraArgs: { 'max-retries': '0' } };
    await world.ask('FREE', { ...own, stderr, sandbox: { enabled: false, excludedCommands: ['touch *'] } });
    await world.ask('TIED', { ...own, sandbox: { enabled: true } });
    expect(['free.txt', 'tied.txt'].map((file) => existsSync(path.join(world.other, file)))).toEqual([true, false]);
    expect(told.join('')).toMatch(/sandbox\.enabled.*--allow-unsandboxed/);
  });

  test('what can not be honoured is refused by its name', async () => {
    const together = await world.failure('PLAIN', {
      hooks: { TeammateIdle: [{ hooks: [async () => ({})] }] },
      agents: { scout: { description: 'd', prompt: 'p', observer: 'other' } },
    });
    for (const name of ['hooks.TeammateIdle', 'agents.scout.observer']) expect(together).toMatch(name);
    const alone: Readonly<Record<string, readonly [value: unknown, says: RegExp]>> = {
      agent: ['nobody', /there is no agent nobody/],
      projectConfigRoot: ['/nowhere', /--project-config-root: \/nowhere is not a folder/],
      taskBudget: [{ total: 5_000 }, /from 20000 on/],
    };
    for (const [name, [value, says]] of Object.entries(alone))
      expect(await world.failure('PLAIN', { [name]: value }), name).toMatch(says);
    const refused = Object.keys(SDK_OPTIONS).filter((name) => SDK_OPTIONS[name]?.standing === 'refused');
    expect(refused).toEqual([]);
    expect(world.unexpected()).toEqual([]);
  });
});

/**
 * What else programs give, field by field. Not read, as nothing hangs on it: `toolUseID` (every answer has its request),
 * `decisionClassification`, and of a message who says it, when and where. `timeout` of a server inside the program is read, its `tools` are
 * refused; of `inline_pastes` the text stands in the message.
 */
const READ_FIELDS: Readonly<Record<string, string>> = {
  PermissionResult: 'behavior updatedInput updatedPermissions toolUseID decisionClassification',
  McpStdioServerConfig: 'type command args env timeout alwaysLoad',
  McpHttpServerConfig: 'type url headers tools timeout alwaysLoad',
  McpSSEServerConfig: 'type url headers tools timeout alwaysLoad',
  McpSdkServerConfig: 'type name timeout tools',
  SdkPluginConfig: 'type path skipMcpDiscovery',
  SDKHookCallbackMatcher: 'matcher hookCallbackIds timeout onFailure',
  SDKUserMessage:
    'type message parent_tool_use_id isSynthetic tool_use_result priority origin shouldQuery timestamp client_composed uuid pasted_content inline_pastes session_id agent_id subagent_type task_description',
};

/** `docs/agent-sdk.md` says of those that start us, or that are about sessions, what they do; the others have nothing to do with us. */
const FUNCTIONS =
  'archiveSession createSdkMcpServer deleteSession filterEscalatingDefaultMode foldSessionSummary forkSession getSessionInfo getSessionMessages getSubagentMessages importSessionToStore listSessions listSubagents matchDeniedModels prewarm query renameSession resolveSettings startup tagSession tool unarchiveSession';

const PERMISSION_UPDATES = [
  'addRules',
  'replaceRules',
  'removeRules',
  'setMode',
  'addDirectories',
  'removeDirectories',
];

/** These go the other way; the last one is never sent. */
const ASKED_BY_US = ['can_use_tool', 'hook_callback', 'elicitation', 'request_user_dialog'];

type BackgroundTask = Readonly<Record<'task_id', unknown>>;

/** What runs in the background, as it was last told. */
function tasksIn(lines: ReadonlyArray<Message>): ReadonlyArray<BackgroundTask> {
  const { tasks = [] }: { readonly tasks?: ReadonlyArray<BackgroundTask> } = Object(
    lines.findLast(({ subtype }) => subtype === 'background_tasks_changed'),
  );
  return tasks;
}

function partsOf(messages: ReadonlyArray<Message>): ReadonlyArray<string> {
  const parts = messages.flatMap((message) => (message.type === 'stream_event' ? [Object(message['event'])] : []));
  const first = parts.slice(0, parts.findIndex(({ type }) => type === 'message_stop') + 1);
  const named = first.map(({ type, content_block: block, delta }) =>
    [type, block?.type ?? (type === 'content_block_delta' ? delta?.type : undefined)].filter(Boolean).join(' '),
  );
  return named.filter((name, at) => name !== named[at - 1] || !name.includes('delta'));
}
