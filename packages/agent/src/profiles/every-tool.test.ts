import { describe, expect, it } from 'vitest';
import { createRecallTool } from '../compaction/recall-tool.ts';
import { createProfile } from './choose.ts';
import { ownNameOf, type Touch, whatACallTouches } from '@attractor/tool-table';
import type { ToolPorts } from './ports.ts';
import { createAskUserTool } from '../session/questions.ts';
import { EMPTY_VIEW } from '../conversation/view.ts';
import { createSubagentTools } from '../subagent/tools.ts';
import { createBackgroundShells } from '../tools/background/shells.ts';
import type { ProfileId, ToolResult } from '../types/index.ts';
import { createPolicy, type PermissionMode } from '@attractor/policy';

const refused = async (): Promise<ToolResult> => ({ output: '', isError: true });

const PORTS: ToolPorts = {
  history: () => [],
  background: createBackgroundShells(),
  web: {},
  search: async () => [],
  agents: { agents: [{ name: 'explore', description: 'x', prompt: 'x' }], run: refused },
  approvePlan: async () => ({ approved: false }),
  commands: { list: () => [], run: async () => null },
  skills: { list: () => [], runsCommands: false, read: async () => null },
};

const reads = (...paths: string[]): Touch => ({ kind: 'files', reads: paths, writes: [] });
const writes = (...paths: string[]): Touch => ({ kind: 'files', reads: [], writes: paths });
const removes = (...paths: string[]): Touch => ({ kind: 'files', reads: [], writes: paths, removes: paths });
const NOTHING: Touch = { kind: 'nothing' };

/** By the house's name: arguments in the spelling of each family, and what they mean. */
const CALLS: Readonly<Record<string, readonly [args: Readonly<Record<string, unknown>>, touch: Touch]>> = {
  read_file: [{ file_path: 'a' }, reads('a')],
  view_image: [{ path: 'a.png' }, reads('a.png')],
  notebook_read: [{ notebook_path: 'a.ipynb' }, reads('a.ipynb')],
  read_many_files: [{ paths: ['a', '/etc/*.conf'] }, reads('.', 'a', '/etc')],
  write_file: [{ file_path: 'a', content: '' }, writes('a')],
  edit_file: [{ file_path: 'a' }, writes('a')],
  multi_edit: [{ file_path: 'a', edits: [] }, writes('a')],
  notebook_edit: [{ notebook_path: 'a.ipynb' }, writes('a.ipynb')],
  apply_patch: [{ patch: '*** Begin Patch\n*** Delete File: a\n*** End Patch' }, removes('a')],
  shell: [
    { command: 'ls', run_in_background: true },
    { kind: 'command', command: 'ls', cwd: null },
  ],
  bash_output: [{ bash_id: 'bash_1' }, NOTHING],
  kill_shell: [{ shell_id: 'bash_1' }, NOTHING],
  grep: [{ pattern: 'x', path: 'src' }, reads('src')],
  glob: [{ pattern: '*' }, reads('.')],
  list_dir: [{ path: 'src' }, reads('src')],
  todo_write: [{ todos: [] }, NOTHING],
  todo_read: [{}, NOTHING],
  web_fetch: [{ url: 'https://a.test/' }, { kind: 'url', url: 'https://a.test/' }],
  web_search: [{ query: 'x' }, { kind: 'web' }],
  task: [
    { subagent_type: 'explore', prompt: 'x' },
    { kind: 'agent', name: 'explore' },
  ],
  spawn_agent: [
    { id: 'a', instruction: 'x' },
    { kind: 'agent', name: null },
  ],
  send_input: [{ id: 'a', message: 'x' }, NOTHING],
  wait: [{ id: 'a' }, NOTHING],
  close_agent: [{ id: 'a' }, NOTHING],
  exit_plan_mode: [{ plan: 'x' }, NOTHING],
  slash_command: [{ command: '/x' }, { kind: 'skill', name: '/x' }],
  skill: [{ skill: 'x' }, { kind: 'skill', name: 'x' }],
  recall: [{ id: 'x' }, NOTHING],
  AskUserQuestion: [{ questions: [] }, NOTHING],
};

const ROWS = (['anthropic', 'openai', 'gemini'] as const).flatMap((id) =>
  (['house', 'family'] as const).flatMap((names) => namesOf(id, names).map((tool) => ({ id, names, tool }))),
);

function namesOf(id: ProfileId, names: 'house' | 'family'): ReadonlyArray<string> {
  const nobody = {
    has: () => false,
    spawn: refuse,
    send: refused,
    wait: refused,
    close: refused,
    closeAll: async () => undefined,
    leave: () => undefined,
    nextReport: async () => null,
  };
  const own = [...createSubagentTools(nobody), createAskUserTool(() => EMPTY_VIEW), createRecallTool(() => EMPTY_VIEW)];
  return [...createProfile({ id, names, ports: PORTS }).toolRegistry.list(), ...own].map(
    ({ definition }) => definition.name,
  );
}

function refuse(): ToolResult {
  return { output: '', isError: true };
}

describe('what every tool touches is known, under every name', () => {
  it.each(ROWS)('$tool ($id, $names)', ({ tool }) => {
    const [args, touch] = CALLS[ownNameOf(tool)] ?? [{}, null];
    expect(whatACallTouches({ toolName: tool, args })).toEqual(touch);
  });

  it('knows of all of them that are in the table', () => {
    expect(new Set(ROWS.map(({ tool }) => ownNameOf(tool)))).toEqual(new Set(Object.keys(CALLS)));
  });
});

describe('a page that was mentioned', () => {
  const judge = (mode: PermissionMode, isMentioned: boolean, url = 'https://a.test/') =>
    createPolicy({
      rules: [
        {
          behavior: 'deny',
          tool: 'WebFetch',
          content: 'domain:bad.test',
          text: 'WebFetch(domain:bad.test)',
          origin: ORIGIN,
        },
      ],
      mode,
      root: '/',
      home: '/',
      sandboxed: true,
    }).judge({ toolName: 'WebFetch', args: { url }, isMentioned });
  const ORIGIN = { scope: 'user', file: null, line: null, root: '/' } as const;

  it.each(['default', 'acceptEdits', 'plan', 'dontAsk'] as const)(
    'is read unasked in the mode %s; another is not',
    async (mode) => {
      expect(await judge(mode, true)).toMatchObject({ decision: 'allow' });
      expect(await judge(mode, false)).toMatchObject({ decision: mode === 'dontAsk' ? 'deny' : 'ask' });
      expect(await judge(mode, true, 'https://bad.test/')).toMatchObject({ decision: 'deny' });
      expect((await judge(mode, true, 'file:///etc/passwd')).decision).not.toBe('allow');
    },
  );
});
