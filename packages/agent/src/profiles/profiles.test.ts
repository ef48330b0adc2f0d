import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defined } from '@attractor/base';
import { getModelInfo, SERVICES } from '@attractor/llm';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createMemoryJournal } from '@attractor/journal';
import { createSession } from '../session/session.ts';
import { call, createScriptedClient } from '../testing/scripted-client.ts';
import { countingTool, makeSession } from '../test-support/session-world.ts';
import { makeFolder } from '@attractor/base/testing';
import { dispatchToolCalls } from '../tools/dispatch.ts';
import type { ProviderProfile, SystemPromptContext } from '../types/index.ts';
import { BUILT_IN_AGENTS } from '../subagent/built-in-agents.ts';
import { createBackgroundShells } from '../tools/background/shells.ts';
import { createProfile, profileFor } from './choose.ts';
import { ownNameOf } from '@attractor/tool-table';
import type { ToolPorts } from './ports.ts';

const IDS = ['openai', 'anthropic', 'gemini'] as const;

/** What a model sees: each tool with its parameters, the required ones marked. */
function surfaceOf(profile: ProviderProfile): Readonly<Record<string, string>> {
  return Object.fromEntries(
    profile.toolRegistry.definitions().map(({ name, parameters }) => {
      const required: ReadonlyArray<unknown> = Array.isArray(parameters['required']) ? parameters['required'] : [];
      const names = Object.keys(parameters['properties'] ?? {});
      return [name, names.map((one) => (required.includes(one) ? one : `${one}?`)).join(' ')];
    }),
  );
}

/** A profile's tools on a real folder. */
function world(id: (typeof IDS)[number], files: Readonly<Record<string, string>> = {}) {
  const root = makeFolder(files);
  const env = createLocalExecutionEnvironment(root);
  const { toolRegistry } = createProfile(id);
  const use = async (toolName: string, args: Readonly<Record<string, unknown>>) => {
    const [result] = await dispatchToolCalls([{ toolCallId: '1', toolName, args }], toolRegistry, env, false);
    return result ?? { output: 'no result', isError: true };
  };
  return { root, use, content: (name: string) => readFileSync(path.join(root, name), 'utf8') };
}

const PORTS: ToolPorts = {
  history: () => [],
  background: createBackgroundShells(),
  web: {},
  search: async () => [],
  agents: { agents: BUILT_IN_AGENTS, run: async () => ({ output: '', isError: false }) },
  approvePlan: async () => ({ approved: true }),
  commands: { list: () => [], run: async () => null },
};

const CONTEXT: SystemPromptContext = {
  platform: 'linux',
  osVersion: '6.1',
  workingDirectory: '/project',
  gitBranch: null,
  gitStatus: null,
  gitLog: null,
  date: '2026-02-14',
  model: 'm',
  projectDocs: '',
  userInstruction: null,
};

describe('what each profile offers', () => {
  it('AC 2.1: openai has codex-style tools with apply_patch, and no edit_file', () => {
    expect(surfaceOf(createProfile('openai'))).toEqual({
      read_file: 'file_path offset? limit? pages?',
      apply_patch: 'patch',
      write_file: 'file_path content',
      shell: 'command timeout_ms? working_dir? description?',
      grep: 'pattern path? include?',
      glob: 'pattern path?',
      view_image: 'path',
      update_plan: 'explanation? plan',
    });
  });

  it('AC 2.2: anthropic has edit_file with old and new string, and no apply_patch', () => {
    expect(surfaceOf(createProfile('anthropic'))).toEqual({
      read_file: 'file_path offset? limit? pages?',
      edit_file: 'file_path old_string new_string replace_all?',
      write_file: 'file_path content',
      shell: 'command timeout_ms? working_dir? description?',
      grep: 'pattern path? include? file_type? case_sensitive? context_lines? lines_before? lines_after? output_mode? only_matching? multiline? head_limit? offset?',
      glob: 'pattern path?',
      MultiEdit: 'file_path edits',
      LS: 'path ignore?',
      NotebookRead: 'notebook_path cell_id?',
      NotebookEdit: 'notebook_path cell_id? new_source cell_type? edit_mode?',
      TodoWrite: 'todos',
    });
  });

  it('AC 2.3: gemini has list_dir and edit_file with a count, and no apply_patch', () => {
    expect(surfaceOf(createProfile('gemini'))).toEqual({
      read_file: 'path offset? limit? pages?',
      edit_file: 'file_path old_string new_string expected_replacements?',
      write_file: 'file_path content',
      shell: 'command timeout_ms? working_dir? description?',
      grep: 'pattern path? include?',
      glob: 'pattern path? case_sensitive?',
      list_dir: 'path ignore? respect_git_ignore?',
      read_many_files: 'paths exclude?',
      write_todos: 'todos',
    });
  });

  it('with every port, each family has each tool under the name that it knows', () => {
    const names = (id: (typeof IDS)[number]) =>
      Object.keys(surfaceOf(createProfile({ id, names: 'family', ports: PORTS })));
    expect(names('anthropic').join(' ')).toBe(
      'Read Edit Write Bash Grep Glob MultiEdit LS NotebookRead NotebookEdit BashOutput KillShell TodoWrite TodoRead WebFetch WebSearch Task ExitPlanMode SlashCommand',
    );
    expect(names('openai').join(' ')).toBe(
      'read_file apply_patch write_file shell grep glob view_image bash_output kill_shell update_plan todo_read web_fetch web_search task exit_plan_mode slash_command',
    );
    expect(names('gemini').join(' ')).toBe(
      'read_file replace write_file run_shell_command search_file_content glob list_directory read_many_files bash_output kill_shell write_todos todo_read web_fetch google_web_search task exit_plan_mode slash_command',
    );
  });

  it('in the spelling of its own agents a family finds the parameters that it knows', () => {
    const family = (id: (typeof IDS)[number]) => surfaceOf(createProfile({ id, names: 'family', ports: PORTS }));
    expect(family('anthropic')).toMatchObject({
      Read: 'file_path offset? limit? pages?',
      Bash: 'command description? timeout? run_in_background?',
      Grep: 'pattern path? glob? type? output_mode? -i? -n? -o? -A? -B? -C? head_limit? offset? multiline?',
      WebFetch: 'url prompt?',
      WebSearch: 'query allowed_domains? blocked_domains?',
      Task: 'description prompt subagent_type model? run_in_background?',
      BashOutput: 'bash_id filter?',
      KillShell: 'shell_id',
    });
    expect(family('gemini')).toMatchObject({
      replace: 'file_path instruction? old_string new_string allow_multiple?',
      run_shell_command: 'command description? dir_path? is_background? timeout_ms?',
      list_directory: 'dir_path ignore? respect_git_ignore?',
    });
  });

  it('the names of all families lead to the same tools', () => {
    const houses = IDS.map((id) =>
      createProfile({ id, names: 'family', ports: PORTS })
        .toolRegistry.definitions()
        .map(({ name }) => ownNameOf(name)),
    );
    for (const name of ['read_file', 'shell', 'grep', 'todo_write', 'web_search', 'task'])
      for (const known of houses) expect(known).toContain(name);
    expect(ownNameOf('my_own')).toBe('my_own');
  });

  it('a prompt speaks of tools by the names that they have', () => {
    const prompt = createProfile({ id: 'anthropic', names: 'family', ports: PORTS }).buildSystemPrompt(CONTEXT);
    expect(prompt).toContain('Read a file before you edit it. The line numbers that Read shows');
    expect(prompt).toContain('look at it with BashOutput');
    expect(prompt).not.toMatch(/read_file|edit_file|bash_output|todo_write/);
  });

  it('names, models, documents and timeouts are as the families know them', () => {
    const facts = IDS.map((id) => createProfile(id)).map((profile) => [
      profile.id,
      profile.displayName,
      profile.defaultModel,
      profile.projectDocFiles.join(' '),
      profile.defaultCommandTimeout,
      profile.supportsParallelToolCalls,
    ]);
    expect(facts).toEqual([
      ['openai', 'OpenAI (codex-rs)', 'o4-mini', 'AGENTS.md .codex/instructions.md', 10_000, true],
      ['anthropic', 'Anthropic (Claude Code)', 'claude-sonnet-4-5-20250929', 'AGENTS.md CLAUDE.md', 120_000, true],
      ['gemini', 'Gemini (gemini-cli)', 'gemini-2.5-pro', 'AGENTS.md GEMINI.md', 10_000, true],
    ]);
    for (const id of IDS) expect(getModelInfo(createProfile(id).defaultModel)?.provider).toBe(id);
  });

  it('every schema is closed and every parameter described, for every profile', () => {
    const all = [...IDS, ...IDS.map((id) => ({ id, names: 'family' as const, ports: PORTS }))];
    for (const { definition } of all.flatMap((one) => createProfile(one).toolRegistry.list())) {
      expect(definition.parameters).toMatchObject({ type: 'object', additionalProperties: false });
      for (const schema of Object.values(definition.parameters['properties'] ?? {}))
        expect(schema, definition.name).toMatchObject({ type: expect.any(String), description: expect.any(String) });
    }
  });
});

describe('calls of one turn', () => {
  it.each(IDS)('%s: whatever can change files runs alone, so that no two change one at once', (id) => {
    for (const names of ['house', 'family'] as const) {
      const tools = createProfile({ id, names, ports: PORTS }).toolRegistry.list();
      const beside = tools.filter(({ readOnly, serial }) => readOnly !== true && serial !== true);
      expect(beside.map(({ definition }) => ownNameOf(definition.name))).toEqual(['web_fetch', 'web_search']);
    }
  });

  it('of a profile that does not allow it run one by one, unless all of them only read', async () => {
    const profile = { ...createProfile('anthropic'), supportsParallelToolCalls: false };
    const running = new Set<string>();
    const most: number[] = [];
    const counted = (name: string, readOnly: boolean) => ({
      ...countingTool(name),
      readOnly,
      executor: async () => {
        running.add(name);
        await new Promise((resolve) => setTimeout(resolve, 20));
        most.push(running.size);
        running.delete(name);
        return name;
      },
    });
    const tools = [counted('write', false), counted('see', true), counted('look', true)];
    const { session } = makeSession(
      [{ calls: [call('see'), call('write'), call('look')] }, { calls: [call('see'), call('look')] }, { text: 'ok' }],
      { profile, tools },
    );
    await session.submit('go');
    expect(most.slice(0, 3)).toEqual([1, 1, 1]);
    expect(most[3]).toBe(2);
  });
});

describe('what each profile says', () => {
  const topics: Readonly<Record<(typeof IDS)[number], ReadonlyArray<RegExp>>> = {
    openai: [/coding agent/, /apply_patch/, /AGENTS\.md/, /eight to twelve words/, /plan/, /smallest change/],
    anthropic: [
      /coding agent/,
      /occurs exactly once/,
      /Read a file before you edit/,
      /Prefer changing an existing file/,
      /grep and glob, not/,
      /smallest change/,
      /path:line/,
      /defend/,
      /CLAUDE\.md/,
    ],
    gemini: [/coding agent/, /confirm/, /network/, /[Cc]onventions/, /never assume that a library/, /GEMINI\.md/],
  };

  it.each(IDS)('AC 2.4: %s has a prompt of its own: identity, tools, guidance', (id) => {
    const prompt = createProfile(id).buildSystemPrompt(CONTEXT);
    for (const topic of topics[id]) expect(prompt).toMatch(topic);
    for (const other of IDS.filter((one) => one !== id))
      expect(prompt).not.toBe(createProfile(other).buildSystemPrompt(CONTEXT));
  });

  it.each(IDS)('%s speaks only of tools that the session has', (id) => {
    const profile = createProfile(id);
    const tools = profile.toolRegistry.list().filter((tool) => tool.readOnly === true);
    const prompt = profile.buildSystemPrompt({ ...CONTEXT, tools: tools.map(({ definition }) => definition) });
    for (const name of ['edit_file', 'write_file', 'apply_patch', 'shell']) expect(prompt).not.toContain(name);
    expect(prompt).toContain('- read_file: ');
  });

  it.each(IDS)('%s stays short: the text of a profile is at most 4,500 characters, with every port 5,500', (id) => {
    const [base = ''] = createProfile(id).buildSystemPrompt(CONTEXT).split('<environment>');
    expect(base.length).toBeLessThan(4_500);
    const [whole = ''] = createProfile({ id, ports: PORTS }).buildSystemPrompt(CONTEXT).split('<environment>');
    expect(whole.length).toBeLessThan(5_500);
  });
});

describe('the registry of a profile', () => {
  it.each(IDS)('AC 2.5: %s takes further tools, and tells of them', async (id) => {
    const profile = createProfile(id);
    const before = profile.toolRegistry.list().length;
    profile.toolRegistry.register(countingTool('measure'));
    expect(profile.toolRegistry.list()).toHaveLength(before + 1);
    expect(profile.buildSystemPrompt(CONTEXT)).toContain('- measure: Counts.');
    expect(createProfile(id).toolRegistry.get('measure')).toBeNull();
    const { session, client } = makeSession([{ calls: [call('measure')] }, { text: 'ok' }], { profile });
    await session.submit('go');
    expect(client.requests[0]?.tools?.map(({ name }) => name)).toContain('measure');
    expect(session.history()[2]).toMatchObject({ results: [{ output: 'ran 1', isError: false }] });
  });

  it.each(IDS)('AC 2.6: %s: the same name overrides, and nothing comes back when it goes', (id) => {
    const { toolRegistry } = createProfile(id);
    const mine = countingTool('shell');
    toolRegistry.register(mine);
    expect(toolRegistry.get('shell')).toBe(mine);
    toolRegistry.unregister('shell');
    expect(toolRegistry.get('shell')).toBeNull();
    expect(toolRegistry.definitions().map(({ name }) => name)).not.toContain('shell');
  });
});

describe('one implementation, three spellings', () => {
  it.each([
    ['openai', { file_path: 'a.txt', offset: 2, limit: 1 }],
    ['anthropic', { file_path: 'a.txt', offset: 2, limit: 1 }],
    ['gemini', { path: 'a.txt', offset: 1, limit: 1 }],
  ] as const)('%s reads the second line', async (id, args) => {
    const { use } = world(id, { 'a.txt': 'one\ntwo\nthree\n' });
    expect(await use('read_file', args)).toMatchObject({ isError: false, output: '     2\ttwo' });
  });

  it('a spelling of another profile is an error that names the right one', async () => {
    const { use } = world('gemini', { 'a.txt': 'x' });
    const { isError, output } = await use('read_file', { file_path: 'a.txt' });
    expect([isError, output]).toEqual([true, expect.stringContaining('path')]);
  });

  it('anthropic greps without case and with context', async () => {
    const { use } = world('anthropic', { 'a.txt': 'before\nNeedle\nafter\n' });
    const { output } = await use('grep', { pattern: 'needle', case_sensitive: false, context_lines: 1 });
    expect(output).toMatch(/before[^]*Needle[^]*after/);
    expect((await use('grep', { pattern: 'needle' })).output).toBe('No matches found.');
  });

  it('gemini globs without case unless told', async () => {
    const { use } = world('gemini', { 'Src/Main.TS': '', 'src/other.ts': '', 'README.md': '' });
    expect((await use('glob', { pattern: 'src/*.ts' })).output).toBe('Src/Main.TS\nsrc/other.ts');
    expect((await use('glob', { pattern: 'src/*.ts', case_sensitive: true })).output).toBe('src/other.ts');
  });

  it('gemini lists a folder', async () => {
    const { use } = world('gemini', { 'a/b.txt': 'x', 'c.txt': 'yy' });
    expect((await use('list_dir', { path: '.' })).output).toBe('a/\nc.txt (2 bytes)');
  });

  it('openai edits by patch', async () => {
    const { use, content } = world('openai', { 'a.txt': 'one\ntwo\n' });
    const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+TWO\n*** End Patch';
    expect(await use('apply_patch', { patch })).toMatchObject({ isError: false });
    expect(content('a.txt')).toBe('one\nTWO\n');
  });
});

describe('the command timeout of a profile', () => {
  it.each(IDS)('%s: reaches the shell, and the session may override it', async (id) => {
    const timedOut = async (command: string, profileMs: number, sessionMs?: number): Promise<unknown> => {
      const { options } = makeSession([]);
      const session = createSession({
        ...options,
        journal: createMemoryJournal(),
        profile: { ...createProfile(id), defaultCommandTimeout: profileMs },
        client: createScriptedClient([{ calls: [call('shell', { command })] }, { text: 'ok' }]),
        config: { ...options.config, ...defined({ defaultCommandTimeout: sessionMs }) },
      });
      await session.submit('go');
      await session.close();
      const [, , turn] = session.history();
      return turn?.kind === 'tool_results' && turn.results[0]?.output.includes('timed out');
    };
    const all = [timedOut('sleep 60', 50), timedOut('sleep 0.2', 50, 60_000), timedOut('sleep 60', 60_000, 50)];
    expect(await Promise.all(all)).toEqual([true, false, true]);
  });
});

describe('expected_replacements', () => {
  const edit = (more: Readonly<Record<string, unknown>> = {}) => ({
    file_path: 'a.txt',
    old_string: 'x',
    new_string: 'y',
    ...more,
  });

  it('replaces exactly as many as were said', async () => {
    const { use, content } = world('gemini', { 'a.txt': 'x x\r\nx\r\n' });
    expect(await use('edit_file', edit({ expected_replacements: 3 }))).toMatchObject({ isError: false });
    expect(content('a.txt')).toBe('y y\r\ny\r\n');
  });

  it.each([
    [{}, 'occurs 3 times, expected_replacements is 1. Set expected_replacements to 3'],
    [{ expected_replacements: 2 }, 'occurs 3 times, expected_replacements is 2'],
    [{ old_string: 'once', expected_replacements: 2 }, 'occurs once, expected_replacements is 2'],
    [{ old_string: 'missing', expected_replacements: 2 }, 'was not found'],
    [{ file_path: 'gone.txt' }, 'does not exist'],
    [{ expected_replacements: 0 }, 'expected_replacements'],
  ])('%j changes nothing and says why', async (more, reason) => {
    const { use, content } = world('gemini', { 'a.txt': 'x x x once\n' });
    expect(await use('edit_file', edit(more))).toMatchObject({
      isError: true,
      output: expect.stringContaining(reason),
    });
    expect(content('a.txt')).toBe('x x x once\n');
  });
});

describe('the profile for a provider', () => {
  it('knows every service of the table', () => {
    const chosen = Object.fromEntries(SERVICES.map(({ id }) => [id, profileFor(id).id]));
    expect(chosen).toMatchObject({ anthropic: 'anthropic', openai: 'openai', gemini: 'gemini' });
    const others = SERVICES.filter(({ protocol }) => protocol === 'openai-chat').map(({ id }) => chosen[id]);
    expect(new Set(others)).toEqual(new Set(['anthropic']));
  });

  it.each([
    ['openai-chat', 'gpt-5', 'openai'],
    ['openrouter', 'openai/o4-mini', 'openai'],
    ['openrouter', 'google/gemini-2.5-pro', 'gemini'],
    ['openrouter', 'anthropic/claude-sonnet-4.5', 'anthropic'],
    ['ollama', 'gpt-oss:20b', 'openai'],
    ['ollama', 'qwen3-coder:30b', 'anthropic'],
    ['groq', 'olmo-2', 'anthropic'],
    ['openai', 'claude-on-a-gateway', 'openai'],
    ['my-own', '', 'anthropic'],
  ])('%s with %s: %s', (provider, model, id) => {
    expect(profileFor(provider, model).id).toBe(id);
  });
});
