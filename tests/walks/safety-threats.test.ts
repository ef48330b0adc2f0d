import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLocalExecutionEnvironment, type ExecutionEnvironment } from '@attractor/agent';
import { createPolicy } from '@attractor/policy';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from './attractor.ts';

type Case = { readonly cmd: string; readonly expect: string; readonly cls: string };

const LIST = path.resolve(import.meta.dirname, '../../packages/shell/src/fixtures/commands.json');
const cases: ReadonlyArray<Case> = JSON.parse(readFileSync(LIST, 'utf8'));

function makeWorld(env: Readonly<Record<string, string>> = {}): {
  readonly root: string;
  readonly environment: ExecutionEnvironment;
  readonly decide: (command: string) => Promise<string>;
  readonly files: () => ReadonlyArray<string>;
} {
  const root = makeFolder();
  mkdirSync(path.join(root, 'src'));
  writeFileSync(path.join(root, 'src/app.ts'), 'a"; rm b\n');
  writeFileSync(path.join(root, 'f'), 'b\n');
  writeFileSync(path.join(root, 'evil.sh'), 'touch pwned\n');
  const environment = createLocalExecutionEnvironment(root, 'inherit_core', {
    env: { PATH: '/usr/bin:/bin', HOME: root, ...env },
  });
  onTestFinished(() => environment.cleanup());
  const policy = createPolicy({ rules: [], mode: 'default', root, home: root, sandboxed: false });
  return {
    root,
    environment,
    decide: async (command) => (await policy.judge({ toolName: 'shell', args: { command } })).decision,
    files: () => readdirSync(root).toSorted(),
  };
}

describe('T11: quotes that hide a second command', () => {
  const traps = cases.filter(({ cls }) => cls === 'quote-trap');

  test('are read as bash reads them: what is allowed changes nothing when it is run for real', async () => {
    expect(traps.length).toBeGreaterThanOrEqual(6);
    const { decide, environment, files } = makeWorld();
    const before = files();
    for (const { cmd, expect: expected } of traps) {
      const decision = await decide(cmd);
      expect([cmd, decision]).toEqual([cmd, expected === 'safe-read' ? 'allow' : 'ask']);
      if (decision === 'allow') await environment.execCommand(cmd);
    }
    expect(files()).toEqual(before);
  });
});

describe('T12: the shell that runs is the shell that was parsed', () => {
  test('bash, whatever shell the person has, and without files or functions that it would read first', async () => {
    const { environment, files } = makeWorld({
      SHELL: '/bin/zsh',
      BASH_ENV: 'evil.sh',
      ENV: 'evil.sh',
      'BASH_FUNC_ls%%': '() { touch pwned; }',
      SHELLOPTS: 'allexport',
      PROMPT_COMMAND: 'touch pwned',
    });
    const { stdout } = await environment.execCommand(
      'echo "$BASH_VERSION"; echo "$0"; shopt -q login_shell; echo $?; ls',
    );
    expect(stdout).toMatch(/^\d+\.\d+.*\n\/bin\/bash\n1\n/);
    expect(files()).not.toContain('pwned');
  });

  test('what only another shell would understand differently is never allowed', async () => {
    const foreign = cases.filter(({ cls }) => cls === 'zsh' || cls === 'redirect');
    expect(foreign.length).toBeGreaterThanOrEqual(18);
    const { decide } = makeWorld();
    for (const { cmd } of foreign) expect([cmd, await decide(cmd)]).not.toEqual([cmd, 'allow']);
    const { environment, files } = makeWorld();
    await environment.execCommand('ls >!out.txt');
    expect(files()).toContain('!out.txt');
  });
});

describe('T15: no state of the shell survives from one command to the next', () => {
  test('variables, functions, aliases, options, traps and masks are gone', async () => {
    const { environment } = makeWorld();
    await environment.execCommand(
      "export POISON=1 PATH=/evil; declare -x LD_PRELOAD=x; typeset -gx GIT_PAGER=evil; ls() { echo evil; }; export -f ls; alias cat='echo evil'; shopt -s expand_aliases; set -o allexport; umask 000; trap 'echo evil' EXIT; hash -p /evil git; readonly HOME",
    );
    const { stdout } = await environment.execCommand(
      'echo "[$POISON][$LD_PRELOAD][$GIT_PAGER][$PATH]"; type -t ls cat; shopt -q expand_aliases; echo $?; trap; umask; hash; echo $-',
    );
    expect(stdout).toMatch(/^\[\]\[\]\[cat\]\[\/usr\/bin:\/bin\]\nfile\nfile\n1\n/);
    expect(stdout).not.toMatch(/evil|^0000$/m);
  });
});
