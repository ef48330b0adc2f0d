import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { createLocalExecutionEnvironment } from './local.ts';

const world = () => {
  const root = makeFolder({ 'sub/deep/a.txt': 'a\n', 'go.sh': 'cd sub/deep\n' });
  const env = createLocalExecutionEnvironment(root);
  const run = (command: string, workingDir = '.') =>
    env.execCommand(command, { tellWorkingDir: true, workingDir, timeoutMs: 600_000 });
  return { root, run };
};

describe('where the shell was when it ended', () => {
  it.each([
    ['cd sub', 'sub'],
    ['cd sub && cd deep; ls', 'sub/deep'],
    ['cd sub; exit 3', 'sub'],
    ['set -eu; cd sub; false; echo never', 'sub'],
    ['pushd sub >/dev/null; popd >/dev/null', '.'],
    ['. ./go.sh', 'sub/deep'],
    ['source go.sh', 'sub/deep'],
    ['x=cd; eval "$x sub"', 'sub'],
    ['(cd sub); true', '.'],
    ['cd sub # and nothing more', 'sub'],
    ["cat <<'END'; cd sub\ntext\nEND", 'sub'],
    ['cd sub; sleep 30 >/dev/null 2>&1 &', 'sub'],
    ['cd sub; pwd() { echo /etc; }; cd deep', 'sub/deep'],
    ['cd nowhere', '.'],
    ['mkdir "odd\nname" && cd "odd\nname"', 'odd\nname'],
  ])('is told for %j', async (command, expected) => {
    expect((await world().run(command)).workingDir).toBe(expected);
  });

  it.each([
    ['of a command that stays', 'ls'],
    ['of one that replaces itself', 'cd sub; exec true'],
    ['of one with a trap of its own', 'trap "echo bye" EXIT; cd sub'],
    ['of one that removed its folder', 'mkdir gone; cd gone; rmdir ../gone'],
    ['of one that is no command at all', 'cd sub; if'],
  ])('is not told %s', async (_, command) => {
    expect(await world().run(command)).not.toHaveProperty('workingDir');
  });

  it('outside is told as the root, and why', async () => {
    const { root, run } = world();
    const result = await run('cd /');
    expect(result.workingDir).toBe('.');
    expect(result.stderr).toBe(
      `[The command ended in /, outside the working directory: the next one starts in ${root} again.]`,
    );
  });

  it('changes nothing else: exit code, output, errors, signals, descriptors, what waits', async () => {
    const { root, run } = world();
    const plain = createLocalExecutionEnvironment(root);
    for (const command of [
      'cd sub; exit 7',
      'cd sub; no-such-program',
      'cd nowhere',
      'cd sub; echo $LINENO; echo "$0 $#"; if',
      'cd sub; (exit 4); echo $?',
      'cd sub; exec 3>three; echo x >&3; ls; exec 97>&-',
      'ulimit -c 0; cd sub; kill -SEGV $$',
      'set -e; cd sub; (exit 9)',
      'trap "echo bye" EXIT; cd sub; exit 5',
    ]) {
      const { workingDir: _told, durationMs: _ms, ...told } = await run(command);
      const { durationMs: _other, ...untold } = await plain.execCommand(command);
      expect(told).toEqual(untold);
    }
  });

  it('is known while something silent goes on in the background, without a wait or a word', async () => {
    const { run } = world();
    const result = await run('cd sub; (sleep 300 >/dev/null 2>&1 &) ; echo done');
    expect(result).toMatchObject({ workingDir: 'sub', stdout: 'done\n', stderr: '' });
  });
});
