import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inWorktree } from '@attractor/settings';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConfineOptions, confineRuns, setupOfRuns } from './confine-runs.ts';

const NONE: ConfineOptions['sandbox'] = { available: false, reason: 'none is installed', remedy: 'Install one.' };
/** Nothing is started here: where it is said to be does not matter. */
const SOME: ConfineOptions['sandbox'] = { available: true, path: '/usr/bin/bwrap', lacks: [] };

type Given = Partial<ConfineOptions> & { readonly settings?: object };

async function world({ settings = {}, ...given }: Given) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'attractor-confine-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = (name: string): string => path.join(folder, name);
  const [home, repository, worktree] = [place('home'), place('repository'), place('worktree')];
  for (const made of [home, repository, worktree]) mkdirSync(made);
  writeFileSync(path.join(home, 'config.json'), JSON.stringify(settings));
  const options = { home, env: { HOME: folder }, ...given };
  const setup = inWorktree(await setupOfRuns(options)(repository), worktree);
  const confinement = (await confineRuns(options))({ repository, worktree }, setup);
  return { home, repository, worktree, confinement, setup };
}

describe('what agents and checks of a server are started in', () => {
  it('is nothing where there is no sandbox and nobody allowed to go without', async () => {
    const { confinement } = await world({ sandbox: NONE });
    expect(confinement).toMatchObject({ kind: 'refused', message: expect.stringContaining('none is installed') });
  });

  it('is the machine itself only where a person said so: for all, or for one repository and no other', async () => {
    expect((await world({ sandbox: NONE, allowUnsandboxed: true })).confinement.kind).toBe('unsandboxed');
    const confine = await confineRuns({ home: '/h', env: {}, sandbox: NONE, allowUnsandboxed: ['/allowed'] });
    expect(confine({ repository: '/allowed', worktree: '/w' }, null).kind).toBe('unsandboxed');
    expect(confine({ repository: '/allowed-2', worktree: '/w' }, null).kind).toBe('refused');
  });

  it('is the sandbox where there is one, from which neither our own folder nor what a person hides can be read', async () => {
    const settings = { sandbox: { filesystem: { denyRead: ['~/repository'] } } };
    const { confinement, home, repository, worktree } = await world({ sandbox: SOME, settings });
    if (confinement.kind !== 'sandboxed') throw new Error(`it is ${confinement.kind}`);
    expect(confinement.sandbox.roots).toEqual([worktree]);
    expect(confinement.sandbox.secrets().hidden).toEqual(expect.arrayContaining([home, repository]));
  });

  it('includes the folders that a person added, and none that their own checkout lies in or that lies in it', async () => {
    const shared = realpathSync(mkdtempSync(path.join(tmpdir(), 'attractor-shared-')));
    onTestFinished(() => rmSync(shared, { recursive: true, force: true }));
    const settings = { permissions: { additionalDirectories: [shared, '..', '.', '~', '~/missing'] } };
    const { confinement, setup, worktree } = await world({ sandbox: SOME, settings });
    if (confinement.kind !== 'sandboxed') throw new Error(`it is ${confinement.kind}`);
    expect(confinement.sandbox.roots).toEqual([worktree, shared]);
    expect(setup.folders).toEqual([shared]);
    expect(setup.unused.filter((line) => line.includes('was added, but tasks do not use it'))).toHaveLength(2);
  });

  it('reaches the domains that a person allows, through a gate, and no network where they allow none', async () => {
    const proxyOf = async (settings: object): Promise<string | undefined> => {
      const { confinement, worktree } = await world({ sandbox: SOME, settings });
      if (confinement.kind !== 'sandboxed') throw new Error(`it is ${confinement.kind}`);
      onTestFinished(() => confinement.sandbox.close());
      const wrapped = confinement.sandbox.wrap({ argv: ['/bin/true'], cwd: worktree });
      wrapped.release();
      return wrapped.env['HTTPS_PROXY'];
    };
    expect(await proxyOf({})).toBeUndefined();
    expect(await proxyOf({ sandbox: { network: { allowedDomains: ['good.test'] } } })).toMatch(/^http:/);
  });

  it('is nothing while a limit of the person can not be held to', async () => {
    const settings = { sandbox: { filesystem: { denyRead: ['~/*.key'] } } };
    const { confinement } = await world({ sandbox: SOME, settings });
    expect(confinement).toMatchObject({ kind: 'refused', message: expect.stringContaining('config.json') });
  });
});
