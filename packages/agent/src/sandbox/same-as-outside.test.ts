import { cpSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runs } from '@attractor/base/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createSandbox } from '@attractor/confine';
import { EVERYWHERE, PROJECTS } from './test-support/ordinary-projects.ts';
import { bubblewrapOrSkip, sandboxWorld, type SandboxWorld } from './test-support/sandbox-world.ts';

/** Times and people are fixed, so that commits are the same. */
const FIXED = "export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000';";

test.for(Object.keys(PROJECTS))(
  'forty ordinary commands in a project of the kind "%s" give and leave the same as outside',
  async (kind, context) => {
    const { make = 'true', inside: below = '.', commands = [] } = PROJECTS[kind] ?? {};
    const session = [...commands, ...EVERYWHERE];
    expect(session).toHaveLength(40);
    const world = await sandboxWorld(context);
    const [one, other] = ['one', 'other'].map((name) => path.join(world.top, name, 'p')) as [string, string];
    for (const project of [one, other]) {
      cpSync(world.root, project, COPY);
      if (kind === 'plain folder') rmSync(path.join(project, '.git'), { recursive: true });
      const made = await plain(world, project).execCommand(`${FIXED} ${make}`, LONGEST_MS);
      expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    }
    const root = path.join(one, below);
    const bubblewrap = await bubblewrapOrSkip(context);
    const sandbox = createSandbox({ bubblewrap, roots: [root], homes: [world.home] });
    const env = { PATH, HOME: world.home };
    const there = createLocalExecutionEnvironment(root, 'inherit_core', { sandbox, env });
    const here = plain(world, path.join(other, below));
    onTestFinished(async () => {
      await there.cleanup();
      await sandbox.close();
    });
    // Those of its kind all, of the others every so many: in a long run all of them.
    const step = runs(16, 1);
    for (const command of session.filter((_, at) => at < commands.length || at % step === 0)) {
      const told = await Promise.all(
        [there, here].map(async (environment, at) => {
          const { stdout, stderr, exitCode } = await environment.execCommand(`${FIXED} ${command}`, LONGEST_MS);
          const [own, common] = [path.dirname([one, other][at] ?? ''), '/…'];
          return [command, stdout, stderr, exitCode].map((text) => String(text).replaceAll(own, common));
        }),
      );
      expect(told[0]).toEqual(told[1]);
    }
    expect(treeOf(path.dirname(one))).toEqual(treeOf(path.dirname(other)));
  },
);

const PATH = '/usr/bin:/bin';
const COPY = { recursive: true, verbatimSymlinks: true };
const LONGEST_MS = 600_000;

function plain({ home }: SandboxWorld, folder: string) {
  const environment = createLocalExecutionEnvironment(folder, 'inherit_core', { env: { PATH, HOME: home } });
  onTestFinished(() => environment.cleanup());
  return environment;
}

/** Names, modes and content; of git's own files those that hold no times, and the top of the project as a word. */
function treeOf(root: string): ReadonlyArray<string> {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/(?:^|\/)\.git\/(?:.*\/)?(?:index$|logs\/|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG)/.test(name))
    .toSorted()
    .map((name) => {
      const at = path.join(root, name);
      const stats = lstatSync(at);
      const mode = stats.mode.toString(8);
      if (stats.isSymbolicLink()) return `${name} ${mode} -> ${readlinkSync(at)}`;
      if (!stats.isFile()) return `${name} ${mode}`;
      return `${name} ${mode} ${readFileSync(at, 'latin1').replaceAll(root, '/…')}`;
    });
}
