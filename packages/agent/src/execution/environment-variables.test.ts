import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { childVariables } from '@attractor/system';
import { createLocalExecutionEnvironment } from './local.ts';

const CORE = [
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'LANG',
  'TERM',
  'TMPDIR',
  'GOPATH',
  'CARGO_HOME',
  'NVM_DIR',
  'RUSTUP_HOME',
  'PYENV_ROOT',
  'JAVA_HOME',
  'NODE_PATH',
];
const SENSITIVE = ['_API_KEY', '_SECRET', '_TOKEN', '_PASSWORD', '_CREDENTIAL'].flatMap((end) => [
  `MY${end}`,
  `my${end.toLowerCase()}`,
]);
const PLAIN = ['EDITOR', 'MY_TOKENS', 'API_KEY_FILE', 'XPATH'];

const host = Object.fromEntries([...CORE, ...SENSITIVE, ...PLAIN].map((name) => [name, `host's ${name}`]));

/** Of the host's variables: those that a child gets. */
const inherited = (policy: Parameters<typeof childVariables>[0]): ReadonlyArray<string> =>
  Object.entries(childVariables(policy, host)).flatMap(([name, value]) => (host[name] === value ? [name] : []));

describe('a child process', () => {
  it('gets every core variable and no other by default, and all but five kinds of secrets on request (AC4.6)', () => {
    expect(inherited('inherit_core')).toEqual(CORE);
    expect(inherited('inherit_all')).toEqual([...CORE, ...PLAIN]);
    expect(inherited('inherit_none')).toEqual([]);
  });

  it('of an environment that was told nothing gets the core (AC4.6)', async () => {
    const env = createLocalExecutionEnvironment(makeFolder(), undefined, {
      env: { PATH: '/usr/bin:/bin', GH_TOKEN: 's', EDITOR: 'ed' },
    });
    const { stdout } = await env.execCommand('echo "$PATH|$GH_TOKEN|$EDITOR"');
    expect(stdout).toBe('/usr/bin:/bin||\n');
  });

  it('gets what the caller passes over all else, whatever its name', () => {
    const given = { PATH: '/mine', MY_TOKEN: 'mine', PAGER: 'less' };
    for (const policy of ['inherit_core', 'inherit_all', 'inherit_none'] as const)
      expect(childVariables(policy, host, given)).toMatchObject(given);
  });
});
