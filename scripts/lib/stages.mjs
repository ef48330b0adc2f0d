import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtCommand, ensureBuilt, isBuilt } from './build.mjs';
import { ensureDebianPackages } from './debian.mjs';
import { runExamples } from './examples.mjs';
import { ensureInstalled } from './install.mjs';
import { findNode24 } from './node24.mjs';
import { exclusively } from './prepare.mjs';
import { run, toolEnvironment } from './run.mjs';
import { withSecondLook } from './second-look.mjs';
import { runVitest } from './vitest.mjs';

/** Test files that examine what their whole process has open: each runs in its own process. */
export const OWN_PROCESS = '**/*.own-process.test.ts';

/**
 * What `npm test` does, in order. A stage returns `{ passed, failed, note?, failures?, unsteady?, longest? }`; if it throws, the message is its one
 * failure. Without the stage marked `vital` no other can run; one marked `beside` only needs that stage's predecessors, and runs at the
 * same time. Tests wait a good part of their time, so the checks that need no built command run beside them.
 */
export const STAGES = [
  { name: 'install', vital: true, run: install },
  { name: 'debian', beside: true, run: debian },
  { name: 'build', run: build },
  { name: 'format', beside: true, run: tool(['oxfmt', '--check', '.']) },
  {
    name: 'tests',
    run: ({ root }) =>
      withSecondLook((only) =>
        runVitest(root, {
          only,
          except: 'tests/house/**',
          flags: [`--exclude=${OWN_PROCESS}`],
          env: builtWebApp(root),
        }),
      ),
  },
  { name: 'lint', beside: true, run: tool(['oxlint', '--type-aware', '--deny-warnings']) },
  { name: 'types', beside: true, run: types },
  { name: 'house', beside: true, run: house },
  { name: 'knip', beside: true, run: tool(['knip', '--no-progress']) },
  { name: 'alone', beside: true, run: alone },
  { name: 'examples', beside: true, run: ({ root }) => runExamples(root) },
];

async function install({ root, say }) {
  const installed = await exclusively(root, say, () => ensureInstalled(root, say));
  return passed(installed ? 'installed from the lockfile' : 'up to date');
}

async function alone({ root }) {
  return withSecondLook((only = ['own-process']) => runVitest(root, { only, flags: ['--isolate'] }));
}

async function debian({ root, say }) {
  return passed(await ensureDebianPackages(root, say));
}

async function build({ root, say }) {
  const built = await exclusively(root, say, () => ensureBuilt(root, say));
  return passed(built ? 'built' : 'up to date');
}

/** For tests with a browser, which else build the app themselves. */
function builtWebApp(root) {
  return isBuilt(root) ? { BUILT_WEB_APP: join(dirname(builtCommand(root)), 'web') } : {};
}

/** Its files are few and quick: which took longest does not matter. */
async function house({ root }) {
  return { ...(await runVitest(root, { only: 'tests/house' })), longest: [] };
}

/** One checker for each project: the checks beside it have the other cores, and more checkers do part of the work twice. */
async function types(context) {
  const projects = ['tsconfig.json', join('packages', 'web', 'tsconfig.json')];
  const found = projects.filter((project) => existsSync(join(context.root, project)));
  const results = await Promise.all(
    found.map((project) => tool(['tsc', '--noEmit', '--checkers', '1', '-p', project])(context)),
  );
  const failures = results.flatMap((result) => result.failures ?? []);
  return failures.length === 0 ? passed() : { passed: 0, failed: 1, failures };
}

/** A stage that is one command of node_modules: it passes when the command exits with 0. */
function tool(argv) {
  return async ({ root }) => {
    const env = toolEnvironment(root, findNode24(root));
    const { code, output } = await run(argv, { cwd: root, env });
    return code === 0 ? passed() : { passed: 0, failed: 1, failures: [output.trim()] };
  };
}

function passed(note) {
  return { passed: 1, failed: 0, note };
}
