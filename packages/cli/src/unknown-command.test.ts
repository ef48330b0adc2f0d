import { expect, test } from 'vitest';
import { EXIT } from '@attractor/console';
import { runCommand } from './test-support/run-command.ts';

test.each([
  ['taks list', "unknown command 'taks' (did you mean tasks?); see `attractor --help`"],
  ['taks --help', "unknown command 'taks' (did you mean tasks?); see `attractor --help`"],
  ['tasks lst -h', "unknown command 'tasks lst' (did you mean list?); see `attractor tasks --help`"],
  ['tasks lst --json --limit 3', "unknown command 'tasks lst' (did you mean list?); see `attractor tasks --help`"],
  ['sessions lst', "unknown command 'sessions lst' (did you mean list?); see `attractor sessions --help`"],
  ['db backp x y', "unknown command 'db backp' (did you mean backup?); see `attractor db --help`"],
  ['inbox answr ATT-1.q1', "unknown command 'inbox answr' (did you mean answer?); see `attractor inbox --help`"],
  ['inbox --limt 3', "unknown option '--limt' (did you mean --limit?); see `attractor inbox --help`"],
  ['tasks list --limt 3', "unknown option '--limt' (Did you mean --limit?); see `attractor tasks list --help`"],
  ['--vresion', "unknown option '--vresion' (did you mean --version?); see `attractor --help`"],
  ['help tasks lst', "unknown command 'tasks lst' (did you mean list?); see `attractor tasks --help`"],
  [
    'queue zzzzzz',
    "unknown command 'queue zzzzzz'. It has: state, pause, resume, drain, limit; see `attractor queue --help`",
  ],
])('attractor %s names what was meant', async (line, says) => {
  expect(await runCommand(line.split(' '))).toMatchObject({
    exit: EXIT.usage,
    stdout: '',
    stderr: `attractor: ${says}\n`,
  });
});

test.each(['mcp add tracker -- npx tracker', 'mcp list', 'mcp get tracker', 'mcp remove tracker -s user'])(
  'attractor %s, in the words of another agent, says what does the same here',
  async (line) => {
    const said = await runCommand(line.split(' '));
    expect(said).toMatchObject({ exit: EXIT.usage, stdout: '' });
    expect(said.stderr).toMatch(/^attractor: there is no command 'mcp \w+': .*(?:config\.json|config show).*\n$/);
  },
);

test('help shows the help of what follows it', async () => {
  for (const path of [[], ['tasks'], ['tasks', 'create'], ['task', 'add']]) {
    const asked = await runCommand(['help', ...path]);
    const known = path.map((word) => (word === 'task' ? 'tasks' : word === 'add' ? 'create' : word));
    expect(asked).toEqual(await runCommand([...known, '--help']));
    expect(asked).toMatchObject({ exit: EXIT.done, stderr: '' });
  }
});
