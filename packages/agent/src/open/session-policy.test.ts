import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScriptedClient } from '../testing/index.ts';
import { examineTrust, inWorktree, readSetup, trustRepository } from '@attractor/settings';
import type { AgentSessionOptions } from './agent-session.ts';
import { policyOf, ruleFilesOfPerson } from './session-parts.ts';

function makeWorld(own: object, ofRepository: object) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-permissions-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, repository] = [join(folder, 'home'), join(folder, 'repository')];
  const worktree = join(repository, '.agent-worktrees/tsk_1');
  for (const made of [home, join(repository, '.git'), join(repository, '.attractor'), worktree])
    mkdirSync(made, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify(own));
  writeFileSync(join(repository, '.attractor/config.json'), JSON.stringify(ofRepository));
  const read = async () =>
    inWorktree(await readSetup({ home, userHome: folder, env: {}, folder: repository }), worktree);
  const options = async (readOnly = false): Promise<AgentSessionOptions> => ({
    folder: worktree,
    client: createScriptedClient([]),
    setup: await read(),
    mode: 'acceptEdits',
    readOnly,
  });
  const decide = async (
    toolName: string,
    args: Readonly<Record<string, unknown>>,
    readOnly?: boolean,
  ): Promise<string> => {
    const policy = policyOf(await options(readOnly), {
      rules: [],
      sandbox: null,
      seen: () => ({ PATH: '/usr/bin:/bin' }),
    });
    return (await policy.judge({ toolName, args })).decision;
  };
  return { home, repository, read, decide, options };
}

const run = (command: string) => ['shell', { command }] as const;
const edit = (file: string) => ['write_file', { file_path: file, content: 'x' }] as const;

describe('what a pipeline run may do unasked', () => {
  it('are edits in its worktree and what the person allows; what the repository denies counts always, what it allows once it is trusted, in the worktree', async () => {
    const { home, repository, decide, options } = makeWorld(
      { permissions: { allow: ['Bash(npm test)'], deny: ['Edit(*.lock)'] } },
      { permissions: { allow: ['Bash(make)'], deny: ['Edit(/generated/**)'] } },
    );
    expect(await decide(...edit('src/a.ts'))).toBe('allow');
    expect(await decide(...run('npm test'))).toBe('allow');
    expect(await decide(...edit('x.lock'))).toBe('deny');
    expect([await decide(...run('make')), await decide(...edit('generated/a.ts'))]).toEqual(['ask', 'deny']);
    expect(await trustRepository(examineTrust(repository, { home }), { home })).toMatchObject({ ok: true });
    expect([await decide(...run('make')), await decide(...edit('generated/a.ts'))]).toEqual(['allow', 'deny']);
    const ruleFiles = ruleFilesOfPerson(await options());
    const root = join(repository, '.agent-worktrees/tsk_1');
    expect(ruleFiles).toEqual({ root, userSettings: join(home, 'config.json') });
  });

  it('is nothing that changes anything in a run that only reads, whatever the person allows', async () => {
    const { decide } = makeWorld({ permissions: { allow: ['Bash(npm test)', 'Edit'] } }, {});
    expect([await decide(...edit('src/a.ts'), true), await decide(...run('npm test'), true)]).toEqual(['deny', 'deny']);
    expect([await decide(...run('git status'), true), await decide('read_file', { file_path: 'a' }, true)]).toEqual([
      'allow',
      'allow',
    ]);
  });

  it('is no page of a domain that the sandbox denies, even where a rule allows pages', async () => {
    const network = { deniedDomains: ['bad.test'] };
    const { decide } = makeWorld({ sandbox: { network }, permissions: { allow: ['WebFetch'] } }, {});
    expect(await decide('WebFetch', { url: 'https://bad.test/' })).toBe('deny');
    expect(await decide('WebFetch', { url: 'https://good.test/' })).toBe('allow');
  });

  it('is nothing while a limit can not be read: the run does not start', async () => {
    const broken = await makeWorld({ permissions: { deny: 'Bash' } }, {}).read();
    expect(broken.problems).toMatchObject([{ message: expect.stringMatching(/config\.json:1: .*deny/) }]);
    const odd = await makeWorld({ permissions: { deny: ['Bash(('] } }, {}).read();
    expect(odd.problems).toMatchObject([{ message: expect.stringContaining('config.json') }]);
  });
});
