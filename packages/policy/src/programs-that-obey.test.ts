import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import type { Variables } from '@attractor/system';
import { policyOf } from './test-support/rules.ts';

/** A workspace, a home and a folder of programs, with a script in the workspace that tells that it was run. */
function makeWorld(files: Readonly<Record<string, string>> = {}) {
  const top = makeFolder({ 'ws/a.txt': 'x\n', 'home/x': '', 'usr/x': '', 'shims/x': '', ...files });
  const [ws, home, sprung] = ['ws', 'home', 'sprung'].map((name) => path.join(top, name)) as [string, string, string];
  writeFileSync(path.join(ws, 'evil.sh'), `#!/bin/sh\n: > '${sprung}'\n`);
  const variables: Variables = { PATH: `${top}/shims:${top}/usr:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' };
  const program = (name: string, text: string): void => {
    writeFileSync(path.join(top, name), text);
    chmodSync(path.join(top, name), 0o755);
  };
  const decide = async (command: string, more: Variables = {}): Promise<string> =>
    (
      await policyOf({}, { root: ws, home, variables: { ...variables, ...more } }).judge({
        toolName: 'shell',
        args: { command },
      })
    ).decision;
  /** Whether the command, let run, would have run what lies in the workspace. */
  const springs = (command: string, more: Variables = {}): boolean => {
    spawnSync('/bin/bash', ['-c', command], { cwd: ws, env: { ...variables, ...more }, stdio: 'ignore' });
    const isSprung = existsSync(sprung);
    rmSync(sprung, { force: true });
    return isSprung;
  };
  return { top, ws, home, sprung, program, decide, springs };
}

describe('a program that obeys more than its words', () => {
  it('asks where it is one that only stands before others, and the project has a file by which that chooses', async () => {
    const { ws, program, decide, springs } = makeWorld();
    const chooser =
      '#!/bin/sh\n[ -f .tool-versions ] && exec /bin/sh "$(cat .tool-versions)"\nexec /usr/bin/sort "$@"\n';
    program('shims/rev', chooser);
    program('usr/node', chooser);
    for (const command of ['rev a.txt', 'node --version'])
      expect([command, await decide(command)]).toEqual([command, 'allow']);
    writeFileSync(path.join(ws, '.tool-versions'), './evil.sh\n');
    for (const command of ['rev a.txt', 'node --version', 'cat a.txt | rev', 'find . -name a.txt -exec rev {} +']) {
      expect([command, springs(command)]).toEqual([command, true]);
      expect([command, await decide(command)]).toEqual([command, 'ask']);
    }
    expect(await decide('cat a.txt')).toBe('allow');
  });

  it('asks where a variable before it begins as its settings do, in whatever case', async () => {
    const { program, decide, springs } = makeWorld();
    program('usr/npm', '#!/bin/sh\nexec /bin/sh "$(env | grep -i ^npm_config_ | cut -d= -f2)"\n');
    for (const name of ['npm_config_x', 'nPM_CONFIG_x', 'npm_Config_x']) {
      expect([name, springs(`${name}=./evil.sh npm --version`)]).toEqual([name, true]);
      expect([name, await decide(`${name}=./evil.sh npm --version`)]).toEqual([name, 'ask']);
    }
    expect(await decide('yarn_yarn_path=./evil.sh ls')).toBe('ask');
    expect(await decide('name=x ls')).toBe('allow');
  });

  it('asks where it is a script of a language that a variable leads into the workspace', async ({ skip }) => {
    if (!existsSync('/usr/bin/shasum')) return skip('no shasum here');
    const { ws, sprung, decide, springs } = makeWorld({ 'ws/lib/x': '' });
    writeFileSync(path.join(ws, 'lib/Evil.pm'), `package Evil; open(F, '>', '${sprung}'); 1;\n`);
    const variables = { PERL5OPT: '-MEvil', PERL5LIB: path.join(ws, 'lib') };
    expect(springs('shasum a.txt', variables)).toBe(true);
    expect(await decide('shasum a.txt', variables)).toBe('ask');
    expect(await decide('shasum a.txt', { PERL5LIB: 'lib' })).toBe('ask');
    expect(await decide('shasum a.txt')).toBe('allow');
  });

  it.each(['sh evil.sh', 'cat | sh ./evil.sh', 'env sh evil.sh', 'sh -c "exec sh evil.sh"'])(
    'asks where a person has git run "%s", which is a file of whichever repository git is in',
    async (filter) => {
      const { ws, home, decide, springs } = makeWorld({ 'ws/.gitattributes': '*.txt filter=x\n' });
      const env = { PATH: '/usr/bin:/bin', HOME: home };
      const git = (...args: ReadonlyArray<string>): void =>
        void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.test', ...args], {
          cwd: ws,
          env,
          stdio: 'ignore',
        });
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('commit', '-qm', 'first');
      writeFileSync(path.join(ws, 'a.txt'), 'y\n');
      expect(await decide('git status')).toBe('allow');
      writeFileSync(path.join(home, '.gitconfig'), `[filter "x"]\n\tclean = ${filter.replaceAll('"', '\\"')}\n`);
      expect(springs('git status')).toBe(true);
      expect(await decide('git status')).toBe('ask');
      writeFileSync(
        path.join(home, '.gitconfig'),
        '[filter "x"]\n\tclean = tr a-z A-Z\n[filter "lfs"]\n\tclean = git-lfs clean -- %f\n',
      );
      expect(await decide('git status')).toBe('allow');
    },
  );
});
