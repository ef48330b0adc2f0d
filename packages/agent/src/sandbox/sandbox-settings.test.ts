import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/index.ts';
import { createSandbox, findSandbox } from '@attractor/confine';
import { makeFolder } from '@attractor/base/testing';
import { loadSettings, sandboxSettings, sessionSettings } from '@attractor/settings';

function read(sandbox: object) {
  const home = makeFolder({ 'config.json': JSON.stringify({ sandbox }, null, 2) });
  const root = makeFolder({ 'open.txt': 'open', 'keys/a.txt': 'secret', 'fixed.txt': 'before' });
  mkdirSync(path.join(root, '.git'));
  const loaded = loadSettings({ home, userHome: home, folder: root, env: {} });
  return { root, home, ...sandboxSettings(sessionSettings(loaded), { root, userHome: home }) };
}

describe('settings of the sandbox', () => {
  it('name files and folders from the top, the home folder or the workspace, and domains', () => {
    const { limits, problems, root, home } = read({
      filesystem: {
        denyRead: ['keys/**', '~/private', '//etc/hosts'],
        denyWrite: ['./fixed.txt'],
        allowWrite: ['.vscode'],
        allowRead: ['/tmp/tools'],
      },
      credentials: {
        files: [
          { path: '~/.netrc', mode: 'deny' },
          { path: 'token', mode: 'mask', extract: 'x' },
        ],
      },
      network: { allowedDomains: ['registry.test'], deniedDomains: ['bad.test'] },
    });
    expect(problems).toEqual([]);
    expect(limits).toEqual({
      denyRead: [
        path.join(root, 'keys'),
        path.join(home, 'private'),
        '/etc/hosts',
        path.join(home, '.netrc'),
        path.join(root, 'token'),
      ],
      denyWrite: [path.join(root, 'fixed.txt')],
      allowWrite: [path.join(root, '.vscode')],
      readable: ['/tmp/tools'],
      network: { allowedDomains: ['registry.test'], deniedDomains: ['bad.test'] },
    });
  });

  it('that can not be held to are a problem with their file and line, never passed over', () => {
    const { problems } = read({ filesystem: { denyRead: ['**/*.pem'] } });
    expect(problems).toEqual([expect.stringMatching(/config\.json:\d+: .*"\*\*\/\*\.pem": name a file or a folder/)]);
  });

  it('with a domain that is none are a problem with their file and line; all domains can be denied', () => {
    const { problems } = read({
      network: { allowedDomains: ['*', 'https://a.test/'], deniedDomains: ['*', 'b test'] },
    });
    expect(problems).toEqual([
      expect.stringMatching(/config\.json:\d+: "\*" is not a domain: expected a name such as/),
      expect.stringMatching(/config\.json:\d+: "https:\/\/a\.test\/" is not a domain/),
      expect.stringMatching(/config\.json:\d+: "b test" is not a domain/),
    ]);
  });

  it('hold inside: what may not be read reads empty, for tools too, and what may not be changed stays', async ({
    skip,
  }) => {
    const found = await findSandbox({ roots: [] });
    if (!found.available) return skip(`no sandbox here: ${found.reason}`);
    const { root, limits } = read({ filesystem: { denyRead: ['keys'], denyWrite: ['fixed.txt'] } });
    const sandbox = createSandbox({ bubblewrap: found, roots: [root], ...limits });
    const environment = createLocalExecutionEnvironment(root, 'inherit_core', { sandbox });
    onTestFinished(async () => {
      await environment.cleanup();
      await sandbox.close();
    });
    const { stdout } = await environment.execCommand(
      'cat open.txt keys/a.txt; echo after > fixed.txt; rm -f fixed.txt; mv fixed.txt x; cat fixed.txt; touch made',
    );
    expect(stdout).toBe('openbefore');
    expect(await environment.fileExists('made')).toBe(true);
    await expect(environment.readText('keys/a.txt')).rejects.toThrow(/holds secrets/);
    writeFileSync(path.join(root, 'fixed.txt'), 'by the person');
  });
});
