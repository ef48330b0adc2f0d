import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, asyncProperty, constantFrom, record } from 'fast-check';
import { createScriptedClient } from '../testing/index.ts';
import { runs } from '@attractor/base/testing';
import { createSandbox } from '@attractor/confine';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { bubblewrapOrSkip, git, sandboxWorld } from '../sandbox/test-support/sandbox-world.ts';
import { applyPatchExecutor } from '../tools/apply-patch.ts';
import { readFileExecutor } from '../tools/read-file.ts';
import { writeFileExecutor } from '../tools/write-file.ts';
import type { ExecutionEnvironment, ToolExecutor } from '../types/index.ts';
import { environmentOf, policyOf } from './session-parts.ts';

/** Places inside and outside, behind links, protected, hidden, in temporary folders, nowhere. `T`: what is around the workspace, `H`: a folder of /tmp. */
const PLACES = [
  'a.txt',
  'new/deep/b.txt',
  'T/beside/b.txt',
  '../beside/b.txt',
  'out/b.txt',
  'out.txt',
  'loop/x',
  '.vscode/settings.json',
  'packages/a/.vscode/settings.json',
  '.git/config',
  '.git/hooks/pre-commit',
  '.git/COMMIT_EDITMSG',
  '.git/info/attributes',
  'hooks/pre-push',
  'kept/x.txt',
  'open/x.txt',
  'T/home/open-too/x.txt',
  'T/home/.ssh/id_ed25519',
  'T/home/notes.txt',
  '/etc/attractor-test',
  '/proc/sys/kernel/x',
  '/run/x',
  '/tmp/attractor-own.txt',
  'H/x.txt',
  '/dev/shm/attractor-test',
  'a\u202Eb.txt',
] as const;

const CALLS = {
  write_file: (file: string) => ({ file_path: file, content: 'x' }),
  read_file: (file: string) => ({ file_path: file }),
  remove: (file: string) => ({ patch: `*** Begin Patch\n*** Delete File: ${file}\n*** End Patch` }),
  add: (file: string) => ({ patch: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` }),
  '>': (file: string) => ({ command: `echo x > '${file}'` }),
  '>>': (file: string) => ({ command: `echo x >> '${file}'` }),
  touch: (file: string) => ({ command: `touch '${file}'` }),
  cp: (file: string) => ({ command: `cp a.txt '${file}'` }),
  tee: (file: string) => ({ command: `echo x | tee '${file}'` }),
  cat: (file: string) => ({ command: `cat '${file}'` }),
} as const;

const TOOLS: Readonly<Record<string, readonly [string, ToolExecutor]>> = {
  write_file: ['write_file', writeFileExecutor],
  read_file: ['read_file', readFileExecutor()],
  remove: ['apply_patch', applyPatchExecutor],
  add: ['apply_patch', applyPatchExecutor],
};

/** What containment says, and not a file that is merely missing. */
const REFUSED =
  /outside the working directory|is protected|holds secrets|control or direction|too many links|Read-only file system|Permission denied|Operation not permitted|put aside/;

async function makeWorld(context: Pick<TestContext, 'skip'>) {
  const { top, root, home } = await sandboxWorld(context);
  const bubblewrap = await bubblewrapOrSkip(context);
  for (const folder of ['work/kept', 'work/open', 'work/hooks', 'home/open-too']) mkdirSync(path.join(top, folder));
  symlinkSync(path.join(top, 'beside'), path.join(root, 'out'));
  symlinkSync(path.join(top, 'beside/b.txt'), path.join(root, 'out.txt'));
  symlinkSync('loop', path.join(root, 'loop'));
  writeFileSync(path.join(home, 'notes.txt'), 'notes\n');
  git(root, 'config', 'core.hooksPath', 'hooks');
  const hostFolder = mkdtempSync('/tmp/attractor-host-');
  onTestFinished(() => rmSync(hostFolder, { recursive: true, force: true }));
  const allowWrite = [path.join(home, 'open-too'), path.join(root, 'open')];
  const denyWrite = [path.join(root, 'kept')];
  const sandbox = createSandbox({ bubblewrap, roots: [root], homes: [home], allowWrite, denyWrite });
  const env = { PATH: '/usr/bin:/bin', HOME: home };
  const environment = createLocalExecutionEnvironment(root, 'inherit_core', { sandbox, env });
  onTestFinished(async () => {
    await environment.cleanup();
    await sandbox.close();
  });
  const options = { folder: root, client: createScriptedClient([]), variables: env, mode: 'default' as const };
  const policy = policyOf(options, { rules: [], sandbox, environment, seen: () => env });
  const at = (place: string): string => place.replace(/^T(?=\/)/, top).replace(/^H(?=\/)/, hostFolder);
  return { policy, environment, at, root };
}

type World = Awaited<ReturnType<typeof makeWorld>>;
type Call = { readonly tool: keyof typeof CALLS; readonly place: string };

function callOf({ at }: World, { tool, place }: Call) {
  const args: Readonly<Record<string, string>> = CALLS[tool](at(place));
  return { toolName: TOOLS[tool]?.[0] ?? 'shell', args };
}

/** What happens once a person allowed it; null if nothing was in its way. */
async function refusalOf(world: World, call: Call): Promise<string | null> {
  const { args } = callOf(world, call);
  const [, executor] = TOOLS[call.tool] ?? [];
  const told =
    executor === undefined
      ? await world.environment.execCommand(args['command'] ?? '', 20_000).then(({ stderr }) => stderr)
      : await said(executor, args, world.environment);
  return REFUSED.test(told) ? told : null;
}

async function said(executor: ToolExecutor, args: Readonly<Record<string, string>>, environment: ExecutionEnvironment) {
  try {
    const result = await executor(args, environment, { toolCallId: 'c', signal: new AbortController().signal });
    return typeof result === 'string' ? result : JSON.stringify(result);
  } catch (error) {
    return String(error);
  }
}

describe('a call that asks', () => {
  it('really happens once it is allowed: what can’t be allowed is refused at once', async (context) => {
    const world = await makeWorld(context);
    const tools = Object.keys(CALLS) as ReadonlyArray<keyof typeof CALLS>;
    const way = constantFrom('', '', './', 'a/../', 'new/./');
    const call = record({ tool: constantFrom(...tools), place: constantFrom(...PLACES), way });
    await assert(
      asyncProperty(call, async ({ tool, place, way: by }) => {
        const asked: Call = { tool, place: /^[TH/]/.test(place) ? place : by + place };
        const judgement = await world.policy.judge(callOf(world, asked));
        if (judgement.decision === 'ask')
          expect([asked, judgement.reason, await refusalOf(world, asked)]).toEqual([asked, judgement.reason, null]);
      }),
      { numRuns: runs(70, 5_000) },
    );
  });

  it('is refused with the setting that would allow it', async (context) => {
    const world = await makeWorld(context);
    const because = async (tool: Call['tool'], place: string) => {
      const { decision, reason } = await world.policy.judge(callOf(world, { tool, place }));
      return `${decision}: ${reason}`;
    };
    expect(await because('write_file', 'T/beside/b.txt')).toMatch(
      /^deny: it leads outside .*--add-dir.*additionalDirectories/,
    );
    expect(await because('>', 'T/home/notes.txt')).toMatch(
      /^deny: .*"sandbox\.filesystem\.allowWrite" with ".*\/home"/,
    );
    expect(await because('touch', '.vscode/x')).toMatch(/^deny: files there steer other programs/);
    for (const command of ['rm out.txt', 'rm -f ./out.txt', 'unlink out.txt'])
      expect([command, (await world.policy.judge({ toolName: 'shell', args: { command } })).decision]).toEqual([
        command,
        'ask',
      ]);
    const command = 'echo x > out.txt';
    expect((await world.policy.judge({ toolName: 'shell', args: { command } })).decision).toBe('deny');
    expect(await because('cp', 'kept/x')).toMatch(/^deny: "sandbox\.filesystem\.denyWrite"/);
    expect(await because('cat', 'T/home/.ssh/id_ed25519')).toMatch(/^deny: the sandbox hides it/);
    expect(await because('cat', 'H/x')).toMatch(/^(?:ask|allow): /);
    expect(await because('>', 'H/x')).toMatch(/^deny: commands have a temporary folder of their own/);
    expect(await because('>', 'open/x')).toMatch(/^ask: /);
    expect(await because('>', 'T/home/open-too/x')).toMatch(/^ask: /);
    expect(await because('>', '/tmp/x')).toMatch(/^ask: /);
  });

  it('is refused where the network of commands does not reach, and where one patch would change two folders', async (context) => {
    const { root, home, top } = await sandboxWorld(context);
    const bubblewrap = await bubblewrapOrSkip(context);
    const further = path.join(top, 'beside');
    const env = { PATH: '/usr/bin:/bin', HOME: home };
    const options = {
      folder: root,
      furtherFolders: [further],
      client: createScriptedClient([]),
      variables: env,
      mode: 'default' as const,
    };
    const judge = async (
      allowedDomains: ReadonlyArray<string>,
      toolName: string,
      args: Readonly<Record<string, string>>,
    ) => {
      const network = { allowedDomains, deniedDomains: ['bad.test'] };
      const sandbox = createSandbox({ bubblewrap, roots: [root, further], homes: [home], network });
      const environment = environmentOf(options, { place: null, sandbox, variables: () => env, seen: () => env });
      const policy = policyOf(options, { rules: [], sandbox, environment, seen: () => env });
      const { decision, reason } = await policy.judge({ toolName, args });
      await environment.cleanup();
      await sandbox.close();
      return `${decision}: ${reason}`;
    };
    const run = (domains: ReadonlyArray<string>, command: string) => judge(domains, 'shell', { command });
    expect(await run([], 'curl -sS https://good.test/x | head')).toMatch(
      /^deny: the sandbox has no network for commands; "sandbox\.network\.allowedDomains" with "good\.test"/,
    );
    expect(await run(['good.test'], 'curl https://good.test/x')).toMatch(/^ask: /);
    expect(await run(['good.test'], 'git clone https://other.test:8443/x.git')).toMatch(/^deny: .*"other\.test:8443"/);
    expect(await run(['bad.test'], 'wget http://BAD.test./x')).toMatch(/^deny: bad\.test is denied/);
    expect(await run([], 'curl http://localhost:3000/ http://127.0.0.1:1/ http://[::1]:1/')).toMatch(/^ask: /);
    expect(await run([], 'curl "$URL"')).toMatch(/^ask: /);
    const patch = (...files: ReadonlyArray<string>) =>
      `*** Begin Patch\n${files.map((file) => `*** Add File: ${file}\n+x`).join('\n')}\n*** End Patch`;
    expect(await judge([], 'apply_patch', { patch: patch('n.txt', path.join(further, 'n.txt')) })).toMatch(
      /^deny: One change over several folders/,
    );
    expect(await judge([], 'apply_patch', { patch: patch('n.txt', 'm.txt') })).toMatch(/^ask: /);
  });
});
