import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createClient } from '@attractor/llm';
import { startSimulator } from '@attractor/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { READERS, type Family } from '../matrix/test-support/seen.ts';
import { createSession } from '../session/session.ts';
import { BUILT_IN_AGENTS } from '../subagent/built-in-agents.ts';
import { profileForAgent } from '../subagent/agent-profile.ts';
import { runAsChildren, type AgentOrder } from '../subagent/agent-tool.ts';
import { createSubagents } from '../subagent/subagents.ts';
import { createScriptedClient } from '../testing/scripted-client.ts';
import { makeFolder } from '@attractor/base/testing';
import { createBackgroundShells } from '../tools/background/shells.ts';
import type { Subagent, Turn } from '../types/index.ts';
import { createProfile } from './choose.ts';
import { familyNameOf } from '@attractor/tool-table';
import type { ToolPorts } from './ports.ts';

/** One call of a tool by its house name, in the spelling of each family that offers it, and what the model then reads. */
type Step = {
  readonly tool: string;
  readonly args: Readonly<Partial<Record<Family, Readonly<Record<string, unknown>>>>>;
  readonly reads: RegExp;
};

const all = (args: Readonly<Record<string, unknown>>) => ({ openai: args, anthropic: args, gemini: args });

const NOTEBOOK = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1);
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PATCH = '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+uno\n*** End Patch';
const EDIT = { file_path: 'a.txt', old_string: 'one', new_string: 'uno' };
const START = { command: 'echo bg; exec sleep 60', description: 'Sleeps' };
const STATUS = { status: 'in_progress' };

const steps = (page: string): ReadonlyArray<Step> => [
  { tool: 'read_file', args: { ...all({ file_path: 'a.txt' }), gemini: { path: 'a.txt' } }, reads: /1\tone/ },
  {
    tool: 'edit_file',
    args: { anthropic: EDIT, gemini: { ...EDIT, instruction: 'Translate' } },
    reads: /^Edited a\.txt/,
  },
  { tool: 'apply_patch', args: { openai: { patch: PATCH } }, reads: /a\.txt/ },
  { tool: 'write_file', args: all({ file_path: 'new.txt', content: 'new\n' }), reads: /^Wrote 4 bytes/ },
  {
    tool: 'shell',
    args: {
      openai: { command: 'pwd', timeout_ms: 60_000, working_dir: 'sub' },
      anthropic: { command: 'cd sub && pwd', description: 'Shows the folder' },
      gemini: { command: 'pwd', description: 'Shows the folder', dir_path: 'sub' },
    },
    reads: /\/sub\n/,
  },
  {
    tool: 'shell',
    args: { ...all({ ...START, run_in_background: true }), gemini: { ...START, is_background: true } },
    reads: /in the background as bash_1/,
  },
  { tool: 'bash_output', args: all({ bash_id: 'bash_1' }), reads: /\[bash_1: running\]/ },
  { tool: 'kill_shell', args: all({ shell_id: 'bash_1' }), reads: /^bash_1 was ended/ },
  {
    tool: 'grep',
    args: {
      openai: { pattern: 'uno', include: '*.txt' },
      anthropic: {
        pattern: 'UNO',
        glob: '*.txt',
        type: 'txt',
        output_mode: 'content',
        '-i': true,
        '-n': true,
        '-A': 1,
      },
      gemini: { pattern: 'uno', dir_path: '.' },
    },
    reads: /^a\.txt:1:uno/,
  },
  { tool: 'glob', args: all({ pattern: '*.txt' }), reads: /^a\.txt\nnew\.txt/ },
  { tool: 'list_dir', args: { anthropic: { path: '.' }, gemini: { dir_path: '.' } }, reads: /sub\// },
  {
    tool: 'multi_edit',
    args: { anthropic: { file_path: 'new.txt', edits: [{ old_string: 'new', new_string: 'newer' }] } },
    reads: /^Edited new\.txt: 1 edits/,
  },
  { tool: 'read_many_files', args: { gemini: { paths: ['*.txt'] } }, reads: /--- a\.txt ---[^]*--- new\.txt ---/ },
  { tool: 'view_image', args: { openai: { path: 'p.png' } }, reads: /p\.png: image\/png/ },
  { tool: 'notebook_read', args: { anthropic: { notebook_path: 'n.ipynb' } }, reads: /0 cells/ },
  {
    tool: 'notebook_edit',
    args: { anthropic: { notebook_path: 'n.ipynb', new_source: '1 + 1', edit_mode: 'insert' } },
    reads: /^Inserted cell/,
  },
  {
    tool: 'todo_write',
    args: {
      openai: { explanation: 'New', plan: [{ step: 'Walk', ...STATUS }] },
      anthropic: { todos: [{ content: 'Walk', activeForm: 'Walking', ...STATUS }] },
      gemini: { todos: [{ description: 'Walk', ...STATUS }] },
    },
    reads: /\[>\] Walk/,
  },
  { tool: 'todo_read', args: all({}), reads: /^\[>\] Walk$/ },
  {
    tool: 'web_fetch',
    args: { ...all({ url: page }), anthropic: { url: page, prompt: 'What is it?' } },
    reads: /# A page/,
  },
  { tool: 'web_search', args: all({ query: 'walks' }), reads: /1\. Found walks/ },
  {
    tool: 'task',
    args: all({ description: 'Look around', prompt: 'Where is it?', subagent_type: 'explore' }),
    reads: /^It is in a\.txt\.$/,
  },
  { tool: 'exit_plan_mode', args: all({ plan: '1. Walk' }), reads: /approved the plan/ },
  { tool: 'slash_command', args: all({ command: '/greet you' }), reads: /^Hello you$/ },
];

async function servePage(): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>A page</h1>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Every port is there; agents are real sessions that a script answers. `offered` is what the last of them could use. */
function ports(family: Family, environment: ReturnType<typeof createLocalExecutionEnvironment>) {
  const history: { turns: () => ReadonlyArray<Turn> } = { turns: () => [] };
  const background = createBackgroundShells({ folder: makeFolder() });
  onTestFinished(() => background.end());
  const client = createScriptedClient(() => ({ text: 'It is in a.txt.' }));
  const children: Subagent[] = [];
  const orders: AgentOrder[] = [];
  const subagents = createSubagents({
    known: () => children,
    record: (event) => {
      if (event.kind === 'SUBAGENT_START') children.push({ ...event, id: event.subagentId, status: 'running' });
      if (event.kind === 'SUBAGENT_END')
        children.push({ ...(children.pop() ?? { id: '', childSessionId: '', instruction: '' }), ...event });
    },
    openChild: ({ childSessionId }) => {
      const agent = orders.at(-1)?.agent ?? { name: '', description: '', prompt: '' };
      return createSession({
        profile: profileForAgent(createProfile({ id: family, names: 'family', ports: given }), agent),
        environment,
        client,
        config: { provider: family, model: 'child' },
        sessionId: childSessionId,
        depth: 1,
      });
    },
    limits: () => ({ depth: 0, maxDepth: 1, maxConcurrent: 4 }),
    model: () => 'm',
    hasJournals: false,
  });
  const run = runAsChildren(() => subagents);
  const given: ToolPorts = {
    history: () => history.turns(),
    background,
    web: { allowLoopback: true },
    search: async ({ query }) => [{ title: `Found ${query}`, url: 'https://found.test/' }],
    agents: {
      agents: BUILT_IN_AGENTS,
      run: (order, signal) => {
        orders.push(order);
        return run(order, signal);
      },
    },
    approvePlan: async () => ({ approved: true }),
    commands: {
      list: () => [{ name: 'greet', description: 'Greets' }],
      run: async ({ name, arguments: rest }) => (name === 'greet' ? `Hello ${rest}` : null),
    },
  };
  return { given, history, requests: client.requests };
}

describe.each<Family>(['openai', 'anthropic', 'gemini'])('every tool of the %s profile, over HTTP', (family) => {
  it('is called as its models call it, and the model reads what it did', async () => {
    const page = await servePage();
    const walk = steps(page).flatMap(({ tool, args, reads }) => {
      const own = args[family];
      return own === undefined ? [] : [{ name: familyNameOf(tool, family), args: own, reads }];
    });
    const simulator = await startSimulator({
      script: {
        turns: [...walk.map(({ name, args }) => ({ toolCalls: [{ name, args: { ...args } }] })), { text: 'Done.' }],
      },
    });
    const client = createClient({
      configuration: { providers: { [family]: { apiKey: 'sk-test', baseUrl: simulator.baseUrls[family] } } },
    });
    const root = makeFolder({ 'a.txt': 'one\n', 'n.ipynb': NOTEBOOK });
    mkdirSync(path.join(root, 'sub'));
    writeFileSync(path.join(root, 'p.png'), Buffer.from(PNG, 'base64'));
    const environment = createLocalExecutionEnvironment(root);
    const { given, history, requests } = ports(family, environment);
    const profile = createProfile({ id: family, names: 'family', ports: given });
    const session = createSession({
      profile,
      environment,
      client,
      config: { provider: family, model: profile.defaultModel, loopDetectionWindow: 0 },
    });
    history.turns = session.history;
    onTestFinished(async () => {
      await session.close();
      await client.close();
      await simulator.close();
    });

    await session.submit('Use every tool, see https://example.com/');
    expect(session.error()).toBeNull();
    expect(simulator.failures()).toEqual([]);
    const bodies = simulator.requests({ protocol: family, status: 200 }).map(({ body }) => READERS[family](body));
    const last = bodies.at(-1);
    const offered = profile.toolRegistry.definitions().map(({ name }) => name);
    expect(last?.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(offered));
    expect(new Set(walk.map(({ name }) => name))).toEqual(new Set(offered));
    expect(last?.calls).toEqual(walk.map(({ name, args }) => ({ name, args })));
    const results = last?.results ?? [];
    expect(results.map(({ isError }, index) => (isError ? results[index]?.output : ''))).toEqual(walk.map(() => ''));
    for (const [index, { reads, name }] of walk.entries()) expect(results[index]?.output, name).toMatch(reads);

    const child = requests[0]?.tools?.map(({ name }) => name) ?? [];
    expect(child).toContain(familyNameOf('read_file', family));
    for (const change of ['shell', 'write_file', 'edit_file', 'apply_patch', 'task'])
      expect(child).not.toContain(familyNameOf(change, family));
    expect(JSON.stringify(requests[0]?.messages)).toContain('You look around in this code');
  });
});
