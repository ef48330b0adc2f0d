import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, runAttractor } from './attractor.ts';
import { plainGit } from './hostile-repository.ts';
import { HAS_TMUX, openTerminal } from './tmux.ts';

/** A question to a person, without an agent. */
const ASKING = {
  id: 'asking',
  name: 'Asking',
  initialStatus: 'open',
  terminalStatuses: ['done'],
  statuses: [
    { id: 'open', label: 'open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'planned', label: 'planned', color: 'gray', category: 'waiting', position: 1 },
    { id: 'done', label: 'done', color: 'gray', category: 'done', position: 2 },
  ],
  transitions: [
    {
      id: 'planned',
      from: 'open',
      to: 'planned',
      label: 'planned',
      trigger: { type: 'manual' },
      hooks: [
        {
          type: 'create_prompt',
          params: { type: 'plan_approval', title: 'Well', answers: { approve: 'done', changes: 'open' } },
        },
      ],
    },
    { id: 'back', from: 'planned', to: 'open', label: 'back', trigger: { type: 'manual' } },
    { id: 'over', from: 'planned', to: 'done', label: 'over', trigger: { type: 'manual' } },
  ],
};

test.runIf(HAS_TMUX)('/inbox answers in place what waits on the platform, also in one’s own words', async () => {
  const home = makeFolder();
  const folder = path.join(home, 'work');
  mkdirSync(folder);
  plainGit(folder, ['init', '-q', '-b', 'main']);
  plainGit(folder, ['commit', '-q', '--allow-empty', '-m', 'first']);
  const at = { home, cwd: folder };
  const done = async (args: ReadonlyArray<string>, stdin = ''): Promise<string> => {
    const ended = await runAttractor(args, { ...at, stdin });
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    return ended.stdout;
  };
  await done(['projects', 'add', '.']);
  await done(['pipelines', 'import'], JSON.stringify(ASKING));
  await done(['tasks', 'create', 'Decide it', '--pipeline', 'asking']);
  await done(['tasks', 'transition', 'WOR-1', 'planned']);
  const terminal = openTerminal([], { cwd: folder, env: { HOME: home, ANTHROPIC_API_KEY: 'none' } });
  await terminal.sees('/ commands');
  terminal.say('/inbox');
  await terminal.sees('What waits for you');
  terminal.press('Enter');
  await terminal.sees('Ask for changes');
  terminal.type('2');
  await terminal.sees('In your own words:');
  terminal.say("it's too long");
  await terminal.sees('WOR-1.q1 is answered: changes');
  expect(await done(['tasks', 'get', 'WOR-1', '--json'])).toContain('"open"');
});
