import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { createPolicy, type Decision } from '@attractor/policy';
import { findSandbox, type SandboxFound } from '@attractor/confine';
import { readSetup } from '@attractor/settings';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandFailure, EXIT } from '@attractor/console';
import { confine, type Confinement } from './confine.ts';
import { type PermissionFlags, permissionsHere } from './permissions.ts';

const REAL = await findSandbox({ roots: [] });

const NO_FLAGS: PermissionFlags = { allowedTools: [], disallowedTools: [] };

/** A person's settings, and those of a repository that nobody trusted. */
function makeWorld(settings: unknown, ofRepository: object = {}) {
  const userHome = realpathSync(mkdtempSync(path.join(tmpdir(), 'attractor-permissions-')));
  onTestFinished(() => rmSync(userHome, { recursive: true, force: true }));
  const [home, cwd] = [path.join(userHome, '.attractor'), path.join(userHome, 'repository')];
  for (const folder of [home, path.join(cwd, '.git'), path.join(cwd, '.attractor')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(home, 'config.json'), typeof settings === 'string' ? settings : JSON.stringify(settings));
  writeFileSync(path.join(cwd, '.attractor/config.json'), JSON.stringify(ofRepository));
  const here = async (flags: Partial<PermissionFlags> = {}) => {
    const setup = await readSetup({ home, userHome, folder: cwd, env: {} });
    const { mode, rules } = permissionsHere({ ...NO_FLAGS, ...flags }, cwd, setup);
    return { ...setup, mode, rules: [...rules, ...setup.rules] };
  };
  const judge = async (command: string, flags: Partial<PermissionFlags> = {}): Promise<Decision> => {
    const { rules, mode } = await here(flags);
    const policy = createPolicy({ rules, mode, root: cwd, home: userHome, sandboxed: true });
    return (await policy.judge({ toolName: 'shell', args: { command } })).decision;
  };
  return { userHome, home, cwd, here, judge };
}

async function failureOf(act: () => unknown): Promise<{ readonly message: string; readonly code: number } | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof CommandFailure) return { message: error.message, code: error.exitCode };
    throw error;
  }
}

describe('what a headless run may do', () => {
  it('is what the rules of settings and of flags say together; a denial counts wherever it stands', async () => {
    const { judge } = makeWorld({ permissions: { allow: ['Bash(make *)'], deny: ['Bash(make clean)'] } });
    expect(await judge('make all')).toBe('allow');
    expect(await judge('make clean')).toBe('deny');
    expect(await judge('make clean', { allowedTools: ['Bash(make clean)'] })).toBe('deny');
    expect(await judge('make all', { disallowedTools: ['Bash(make all), Edit'] })).toBe('deny');
    expect(await judge('touch x', { allowedTools: ['Edit Bash(touch x)'] })).toBe('allow');
  });

  it('is never bypassPermissions where the settings switch that off, by a flag or by themselves', async () => {
    const off = { disableBypassPermissionsMode: 'disable' };
    const byFlag = makeWorld({ permissions: off });
    expect(await failureOf(() => byFlag.here({ permissionMode: 'bypassPermissions' }))).toMatchObject({
      code: EXIT.refused,
    });
    expect((await byFlag.here({ permissionMode: 'acceptEdits' })).mode).toBe('acceptEdits');
    const itself = makeWorld({ permissions: { ...off, defaultMode: 'bypassPermissions' } });
    expect(await failureOf(() => itself.here())).toMatchObject({ code: EXIT.refused });
  });

  it('is nothing while a rule, a limit or a hook can not be understood: one line says which', async () => {
    for (const [settings, word] of [
      [{ permissions: { deny: ['Bash('] } }, 'Bash('],
      [{ permissions: { deny: 'Bash' } }, 'permissions.deny'],
      [{ sandbox: { network: { deniedDomains: ['http://x'] } } }, 'http://x'],
      [{ hooks: { PreToolUse: [{ hooks: [{ type: 'command' }] }] } }, '"command" must be a text'],
      ['{ "permissions": ', 'config.json'],
    ] as const) {
      const failure = await failureOf(makeWorld(settings).here);
      expect([failure?.code, failure?.message.includes('\n')]).toEqual([EXIT.refused, false]);
      expect(failure?.message).toContain(word);
    }
    expect(await failureOf(() => makeWorld({}).here({ disallowedTools: ['Bash('] }))).toMatchObject({
      code: EXIT.usage,
    });
  });

  it('takes nothing of a repository that nobody trusted', async () => {
    const { here, judge } = makeWorld(
      {},
      {
        permissions: { allow: ['Bash'], defaultMode: 'acceptEdits', additionalDirectories: ['/etc'] },
        hooks: { Stop: [{ hooks: [{ type: 'command', command: 'touch evil' }] }] },
        mcpServers: { evil: { command: 'evil' } },
      },
    );
    expect(await judge('touch x')).toBe('ask');
    const { mode, folders, hooks, servers } = await here();
    expect([mode, folders, hooks, servers.size]).toEqual(['default', [], [], 0]);
  });
});

describe('what its commands are started in', () => {
  const SOME: SandboxFound = { available: true, path: '/usr/bin/bwrap', lacks: [] };
  const NONE: SandboxFound = { available: false, reason: 'none is installed', remedy: 'Install one.' };
  const question = (more: Partial<Confinement>): Confinement => ({
    flags: { permissionMode: 'default' },
    found: SOME,
    roots: ['/workspace'],
    setup: { limits: {}, home: '/home/ada/.attractor' },
    ...more,
  });

  it('is a sandbox with the limits of the settings, which hides our own folder', () => {
    const { userHome, home, cwd } = makeWorld({});
    writeFileSync(path.join(userHome, 'private'), '');
    const limits = { denyRead: [path.join(userHome, 'private')] };
    const sandbox = confine(question({ roots: [cwd], setup: { home, limits } }));
    expect(sandbox?.roots).toEqual([cwd]);
    expect(sandbox?.secrets().hidden).toEqual(expect.arrayContaining([home, path.join(userHome, 'private')]));
  });

  it.runIf(REAL.available)(
    'lets them change nothing that the settings forbid, and reach the domains of the settings',
    async () => {
      const { home, cwd } = makeWorld({});
      writeFileSync(path.join(cwd, 'kept'), 'as it was');
      const limits = { denyWrite: [path.join(cwd, 'kept')], network: { allowedDomains: ['good.test'] } };
      const sandbox = confine(question({ found: REAL, roots: [cwd], setup: { home, limits } })) ?? undefined;
      onTestFinished(() => sandbox?.close());
      const environment = createLocalExecutionEnvironment(cwd, 'inherit_core', { sandbox });
      const { stdout } = await environment.execCommand('echo x > free; echo x > kept; echo "$HTTPS_PROXY"', 20_000);
      expect([existsSync(path.join(cwd, 'free')), readFileSync(path.join(cwd, 'kept'), 'utf8')]).toEqual([
        true,
        'as it was',
      ]);
      expect(stdout).toMatch(/^http:/);
      await environment.cleanup();
    },
  );

  it('is nothing where there is none and nobody allowed that, and never the whole file system', async () => {
    const bypass = { permissionMode: 'bypassPermissions' } as const;
    expect(await failureOf(() => confine(question({ found: NONE })))).toMatchObject({ code: EXIT.refused });
    expect(await failureOf(() => confine(question({ found: NONE, flags: bypass })))).toMatchObject({
      code: EXIT.refused,
    });
    expect(await failureOf(() => confine(question({ roots: ['/'] })))).toMatchObject({ code: EXIT.refused });
    expect(confine(question({ found: NONE, flags: { ...bypass, allowUnsandboxed: true } }))).toBeNull();
  });
});
