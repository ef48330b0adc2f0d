import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { examineTrust, readSetup, type SetupQuery, trustRepository } from '@attractor/settings';
import { describe, expect, it } from 'vitest';
import { importedSettings } from './import-settings.ts';
import { REPOSITORIES, type Repository } from './test-support/repositories.ts';

async function placesOf({ files, linked = {} }: Pick<Repository, 'files' | 'linked'>): Promise<SetupQuery> {
  const folder = makeFolder(files);
  for (const [name, target] of Object.entries(linked)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    symlinkSync(target, path.join(folder, name));
  }
  const home = makeFolder();
  await trustRepository(examineTrust(folder, { home }), { home });
  return { home, userHome: makeFolder(), folder, env: {} };
}

describe('a repository that was made for another agent', () => {
  it.each(REPOSITORIES)('$kind: starts, and all that is ignored is named once', async (repository) => {
    const places = await placesOf(repository);
    const setup = await readSetup(places);
    expect(setup.problems).toEqual([]);
    const rows = await importedSettings(places);
    const ignored = rows.filter(({ state }) => state !== 'obeyed');
    const named = ignored.map(({ file, key }) => `${path.relative(places.folder, file ?? '')}: ${key}`);
    expect(named.toSorted()).toEqual(repository.ignored.toSorted());
    for (const { reason = '' } of ignored) expect(reason).not.toBe('');
    const obeyed = rows.filter(({ state }) => state === 'obeyed').flatMap(({ key, as }) => [key, as ?? key]);
    expect(obeyed).toEqual(expect.arrayContaining([...repository.obeyed]));
  });

  it('whose settings are one line has the reasons at what they are about', async () => {
    const settings = { model: 'opus', permissions: { additionalDirectories: ['../gone'], defaultMode: 'plan' } };
    const files = {
      '.claude/settings.json': JSON.stringify(settings),
      '.mcp.json': '{no',
      '.gemini/commands/x.toml': 'p = 1',
    };
    const rows = await importedSettings(await placesOf({ files }));
    expect(rows.filter(({ state }) => state !== 'obeyed').map(({ key, reason }) => `${key}: ${reason}`)).toEqual([
      'permissions.additionalDirectories: ../gone: additionalDirectories: there is no folder ../gone here.',
      'the file: expected prompt = "…"',
      'the file: not valid JSON: expected a key in quotes, found "n"',
    ]);
  });

  it.each([
    ['.claude/settings.json', '{ "permissions": {\n"deny": "Bash" } }', 2],
    ['.claude/settings.json', '{ "hooks": {\n"PreToolUse": [{ "hooks": [{ "type": "command" }] }] } }', 2],
    ['.codex/config.toml', 'model = "x"\napproval_policy = "maybe"\n', 2],
    ['.codex/rules/a.rules', '\nfor x in y: pass\n', 2],
    ['.gemini/settings.json', '{ "tools": {\n"exclude": ["fly(x)"] } }', 2],
    ['.opencode/opencode.jsonc', '{ // ours\n"tools": { "x": "no" } }', 2],
    ['.attractor/config.json', '{\n\n"permissions": { "ask": 1 } }', 3],
  ])('with a limit in %s that can not be read does not start, and says where: %s', async (file, text, line) => {
    const places = await placesOf({ files: { [file]: text } });
    const { problems } = await readSetup(places);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${path.join(places.folder, file)}:${line}: `),
    ]);
    const stops = (await importedSettings(places)).filter(({ stops: isStop }) => isStop === true);
    expect(stops.map((row) => row.line)).toEqual(file.startsWith('.attractor') ? [] : [line]);
  });
});
