import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@attractor/agent/testing';
import { makeFolder, until } from '@attractor/base/testing';
import { openSessions } from '@attractor/journal';
import { expect, it } from 'vitest';
import { makePlace, openApp, type Place } from '../test-support/app-world.ts';

it('tells hooks what only a terminal knows, and shows what they say', { timeout: 120_000 }, async () => {
  const place = inWorktree(makePlace());
  const log = join(place.home, 'told.jsonl');
  const hook = (answer: unknown) => [
    {
      hooks: [
        {
          type: 'command',
          command: `told=$(cat); printf '%s\\n' "$told" >> ${log}; echo '${JSON.stringify(answer)}'`,
        },
      ],
    },
  ];
  mkdirSync(join(place.home, '.claude'));
  const hooks = {
    MessageDisplay: hook({ hookSpecificOutput: { displayContent: 'SHOWN\n' } }),
    DirectoryAdded: hook({}),
    SessionStart: hook({}),
    SessionEnd: hook({}),
    UserPromptSubmit: hook({
      terminalSequence: '\u001B]2;Named by a hook\u0007',
      hookSpecificOutput: { sessionTitle: 'Called so' },
    }),
  };
  const statusFile = join(place.home, 'status.json');
  const permissions = { defaultMode: 'acceptEdits' };
  const statusLine = { type: 'command', command: `cat > ${statusFile}` };
  writeFileSync(join(place.home, '.claude/settings.json'), JSON.stringify({ hooks, statusLine, permissions }));
  const edit = call('edit_file', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a +\n  b' });
  const read = call('read_file', { file_path: 'sum.js' });
  const answers = [{ text: 'one secret\ntwo secret' }, { text: 'three' }, { text: 'four' }];
  const app = openApp([{ calls: [read] }, { calls: [edit] }, ...answers], { place });
  const statusNow = (): Status => (existsSync(statusFile) ? parsed(readFileSync(statusFile, 'utf8')) : {});
  const vimMode = (): unknown => statusNow().vim?.mode;
  const other = makeFolder();
  const finals = (): number => (existsSync(log) ? readFileSync(log, 'utf8').split('"final":true').length - 1 : 0);
  const shown = (messages: number): Promise<void> =>
    until(() => finals() >= messages && !app.screen().includes('esc to interrupt') && app.screen().includes('SHOWN'));
  app.type('/effort high\r');
  app.type('/vim\r');
  await app.sees('Keys of vi');
  app.type('hello\r');
  await shown(1);
  expect(app.screen()).not.toContain('secret');
  app.type(`/add-dir ${other}\r`);
  await app.sees('Tools may work in');
  app.type('again\r');
  await shown(2);
  app.type('/clear\r');
  await app.sees('A new conversation begins');
  app.type('and now\r');
  await shown(3);
  await until(() => vimMode() === 'INSERT');
  app.type('x');
  app.type('\u001B');
  await until(() => vimMode() === 'NORMAL');
  app.type('ddi');
  app.type('/exit\r');
  await app.ended;
  const told = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  const of = (event: string) => told.filter(({ hook_event_name: name }) => name === event);
  expect(of('MessageDisplay').slice(0, 2)).toMatchObject([
    { index: 0, final: false, delta: 'one secret\n', message_id: expect.any(String), turn_id: expect.any(String) },
    { index: 1, final: true, delta: 'two secret' },
  ]);
  expect(of('DirectoryAdded')).toMatchObject([{ directory: other, source: 'slash_command' }]);
  expect(of('SessionStart').map(({ source }) => source)).toEqual(['startup', 'resume', 'clear']);
  expect(of('SessionEnd').map(({ reason }) => reason)).toEqual(['other', 'clear', 'prompt_input_exit']);
  expect(of('UserPromptSubmit').map(({ source }) => source)).toEqual(['user', 'user', 'user']);
  expect(
    openSessions({ home: place.home })
      .list()
      .map(({ title }) => title),
  ).toEqual(['Called so', 'Called so']);
  const status = statusNow();
  expect(status).toMatchObject({
    session_name: 'Called so',
    workspace: { git_worktree: 'tree', repo: { host: 'example.org', owner: 'group/team', name: 'sums' } },
    cost: { total_lines_added: 2, total_lines_removed: 1, total_api_duration_ms: expect.any(Number) },
    context_window: { current_usage: { input_tokens: expect.any(Number) } },
    prompt_cache: { requests: 5 },
    thinking: { enabled: true },
    fast_mode: false,
  });
  expect(STATUS_FIELDS.filter((field) => !isIn(status, field))).toEqual(NOT_IN_STATUS);
  expect(app.emulator.written()).toContain('\u001B]2;Named by a hook\u0007');
});

type Status = Readonly<Record<string, unknown>> & { readonly vim?: { readonly mode: string } };

/** What is being written is not whole yet. */
function parsed(text: string): Status {
  try {
    return JSON.parse(text) as Status;
  } catch {
    return {};
  }
}

/** The folder as a worktree that was added to a repository. */
function inWorktree({ home }: Place): Place {
  const [main, folder] = [join(home, 'main'), join(home, 'tree')];
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: ReadonlyArray<string>) => execFileSync('git', ['-C', main, ...args], { env, stdio: 'ignore' });
  mkdirSync(main);
  git('init', '-q');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-q', '--allow-empty', '-m', 'first');
  git('remote', 'add', 'origin', 'git@example.org:group/team/sums.git');
  git('worktree', 'add', '-q', folder);
  writeFileSync(join(folder, 'sum.js'), 'export const sum = (a, b) => a - b;\n');
  return { home, folder };
}

/** As Claude Code 2.1.325 gives them to the command of a status line. */
const STATUS_FIELDS = `session_id transcript_path cwd session_name model.id model.display_name workspace.current_dir
  workspace.project_dir workspace.added_dirs workspace.git_worktree workspace.repo version output_style.name cost.total_cost_usd
  cost.total_duration_ms cost.total_api_duration_ms cost.total_lines_added cost.total_lines_removed
  context_window.total_input_tokens context_window.total_output_tokens context_window.context_window_size
  context_window.current_usage context_window.used_percentage context_window.remaining_percentage exceeds_200k_tokens
  prompt_cache fast_mode effort.level thinking rate_limits vim agent remote pr worktree`.split(/\s+/);

/** `docs/terminal.md` says so, and why. */
const NOT_IN_STATUS = ['rate_limits', 'agent', 'remote', 'pr', 'worktree'];

function isIn(value: unknown, field: string): boolean {
  const [name = '', ...rest] = field.split('.');
  if (typeof value !== 'object' || value === null || !(name in value)) return false;
  return rest.length === 0 || isIn((value as Record<string, unknown>)[name], rest.join('.'));
}
