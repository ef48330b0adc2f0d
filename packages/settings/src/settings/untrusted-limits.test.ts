import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { readSetup, type SessionSetup } from '../setup/session-setup.ts';

/** Each place that a repository writes rules in, with one that denies or asks and one that allows. */
const PLACES: ReadonlyArray<readonly [file: string, text: string]> = [
  ...['.claude/settings.json', '.claude/settings.local.json', '.attractor/config.json', '.attractor/config.local.json']
    .concat('.agents-manager/config.json')
    .map(
      (file) =>
        [file, json({ permissions: { deny: ['Read(./.env)'], ask: ['WebFetch'], allow: ['Bash(*)'] } })] as const,
    ),
  ['.codex/rules/a.rules', 'prefix_rule(pattern=["rm"], decision="forbidden")\nprefix_rule(pattern=["ls"])\n'],
  ['.gemini/settings.json', json({ tools: { allowed: ['run_shell_command(npm test)'], exclude: ['web_fetch'] } })],
  [
    '.gemini/policies/a.toml',
    ['deny', 'allow']
      .map(
        (decision) =>
          `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["${decision}"]\ndecision = "${decision}"\npriority = 100\n`,
      )
      .join('\n'),
  ],
  ...['opencode.json', 'opencode.jsonc', '.opencode/opencode.json'].map(
    (file) => [file, json({ permission: { webfetch: 'deny', edit: 'allow' } })] as const,
  ),
];

describe('a repository that nobody trusted', () => {
  it.each(PLACES)('is obeyed where %s forbids, and not where it allows', async (file, text) => {
    const { rules, problems } = await setupIn({ [file]: text });
    expect(problems).toEqual([]);
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.map(({ behavior }) => behavior)).not.toContain('allow');
  });

  it('holds commands back where its sandbox settings say so, and opens nothing', async () => {
    const filesystem = { denyRead: ['keys'], denyWrite: ['dist'], allowWrite: ['/'], allowRead: ['/'] };
    const network = { allowedDomains: ['evil.test'], deniedDomains: ['*'] };
    const permissions = {
      disableBypassPermissionsMode: 'disable',
      additionalDirectories: ['/'],
      defaultMode: 'acceptEdits',
    };
    const written = {
      sandbox: { filesystem, network },
      permissions,
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] },
    };
    const setup = await setupIn({ '.claude/settings.json': json(written) });
    expect(setup).toMatchObject({ isBypassDisabled: true, mode: 'default', folders: [], hooks: [], problems: [] });
    expect(setup.limits).toEqual({
      denyRead: [path.join(setup.root, 'keys')],
      denyWrite: [path.join(setup.root, 'dist')],
      allowWrite: [],
      readable: [],
      network: { allowedDomains: [], deniedDomains: ['*'] },
    });
  });

  it('is told of in one line, with the command that would trust it', async () => {
    const { unused } = await setupIn({ '.claude/settings.json': json({ permissions: { allow: ['Bash'] } }) });
    expect(unused).toEqual([expect.stringMatching(/is not trusted and is not used.*`attractor trust grant`/)]);
  });

  it.each([
    ['a rule', { permissions: { deny: ['Read(.env', 'Bash(rm *)'] } }],
    [
      'a pattern of the sandbox',
      { permissions: { deny: ['Bash(rm *)'] }, sandbox: { filesystem: { denyRead: ['**/*.pem'] } } },
    ],
    ['a domain', { permissions: { deny: ['Bash(rm *)'] }, sandbox: { network: { deniedDomains: ['not a domain'] } } }],
  ])(
    'keeps nobody from starting by %s that is not understood: a line tells it, and the others hold',
    async (_what, written) => {
      const setup = await setupIn({ '.claude/settings.json': json(written) });
      expect(setup.problems).toEqual([]);
      expect(setup.rules.map(({ behavior }) => behavior)).toEqual(['deny']);
      expect(setup.unused[1]).toMatch(/^not held to: .*settings\.json:\d+: /);
    },
  );
});

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

function setupIn(files: Readonly<Record<string, string>>): Promise<SessionSetup> {
  const userHome = makeFolder();
  const folder = makeFolder({ '.git/HEAD': '', ...files });
  return readSetup({ home: path.join(userHome, '.attractor'), userHome, folder, env: {} });
}
