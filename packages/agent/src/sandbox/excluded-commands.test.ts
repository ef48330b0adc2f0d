import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { createSandbox } from '@attractor/confine';
import type { PermissionMode } from '@attractor/policy';
import { readSetup } from '@attractor/settings';
import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { openAgentSession } from '../open/open-agent-session.ts';
import { call, createScriptedClient } from '../testing/index.ts';
import { bubblewrapOrSkip } from './test-support/sandbox-world.ts';

async function world(context: Pick<TestContext, 'skip'>, settings: object) {
  const bubblewrap = await bubblewrapOrSkip(context);
  const userHome = makeFolder();
  const home = path.join(userHome, '.attractor');
  const [folder, further] = [makeFolder({ 'sub/x': '' }), makeFolder({ 'deep/y': '' })];
  mkdirSync(home);
  writeFileSync(path.join(home, 'config.json'), JSON.stringify(settings));
  const setup = await readSetup({ home, userHome, env: { PATH: '/usr/bin:/bin', HOME: userHome }, folder });
  const sandbox = createSandbox({ bubblewrap, roots: [folder, further] });
  const results = async (commands: ReadonlyArray<string>, mode: PermissionMode): Promise<ReadonlyArray<string>> => {
    const calls = commands.map((command) => ({ calls: [call('shell', { command })] }));
    const client = createScriptedClient([...calls, { text: 'ok' }]);
    const opened = await openAgentSession({
      folder,
      furtherFolders: [further],
      client,
      setup,
      provider: 'anthropic',
      sandbox,
      mode,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    await opened.value.send('go');
    await opened.value.close();
    const last = client.requests.at(-1)?.messages ?? [];
    return last.flatMap(({ content }) => content.flatMap((part) => (part.kind === 'TOOL_RESULT' ? [part.output] : [])));
  };
  onTestFinished(sandbox.close);
  return { results, folder, further, setup };
}

it('a command that a person excluded runs outside the sandbox, if it is allowed, and nothing else in its line does', async (context) => {
  const { results, setup } = await world(context, {
    permissions: { allow: ['Bash(python3 *)', 'Bash(perl *)'] },
    sandbox: { excludedCommands: ['python3 *', '*'] },
  });
  // Inside, processes are numbered from one.
  const pid = `python3 -c 'import os; print("pid", os.getpid() < 50)'`;
  const [alone, piped, beside, other] = await results(
    [pid, `${pid} | cat`, `${pid}; perl -e 1`, `perl -e 'print $$ < 50 ? "pid True" : "pid False"'`],
    'default',
  );
  expect(alone).toContain('pid False');
  expect(piped).toContain('pid False');
  expect(beside).toContain('pid True');
  expect(other).toContain('pid True');
  expect(setup.unused).toEqual([expect.stringMatching(/config\.json:\d+.*"\*" names no program/)]);
});

it('one that nobody allowed asks, even where everything else runs unasked', async (context) => {
  const { results } = await world(context, { sandbox: { excludedCommands: ['Bash(python3:*)'] } });
  const [excluded, other] = await results(["python3 -c 'print(1)'", "perl -e 'print 1'"], 'bypassPermissions');
  expect(excluded).toMatch(/Denied|not allowed/i);
  expect(other).toMatch(/^1/);
});

it('further folders count for commands: they can be written, a command may end there, and the next one starts there', async (context) => {
  const { results, folder, further } = await world(context, {});
  const answers = await results(
    [`cd ${further}/deep && touch made`, 'pwd; ls', `cd ${folder}/sub`, 'pwd', 'cat x; ls ../sub'],
    'acceptEdits',
  );
  expect(answers[0]).toContain(`[now in ${path.join(further, 'deep')}]`);
  expect(answers[1]).toContain(`${path.join(further, 'deep')}\nmade\ny`);
  expect(answers[2]).toContain('[now in sub]');
  expect(answers[3]).toContain(path.join(folder, 'sub'));
  expect(answers[4]).toContain('x');
});
