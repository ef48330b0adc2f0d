import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainRules } from './explain-rules.ts';

/** A home folder and a repository with these files; `~` is the home folder. */
function makeWorld(files: Readonly<Record<string, object>>) {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'attractor-explain-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [home, folder] = [path.join(top, 'home'), path.join(top, 'repository')];
  for (const [name, value] of Object.entries(files)) {
    const file = name.startsWith('~') ? path.join(home, name.slice(2)) : path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value, null, 1));
  }
  mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '-q'], { cwd: folder });
  return { home, explain: (command: string) => explainRules(command, { folder, env: { HOME: home } }) };
}

describe('rules of settings, explained', () => {
  it('name the part, the rule, and its file and line; those of an untrusted repository do not count', async () => {
    const { home, explain } = makeWorld({
      '~/.claude/settings.json': { permissions: { deny: ['Bash(git push *)'] } },
      '~/.attractor/config.json': { permissions: { allow: ['Bash(npm test)'] } },
      '.claude/settings.json': { permissions: { allow: ['Bash(make)'] } },
    });
    expect(await explain('npm test && git push origin main')).toBe(
      `\nBy your settings, in the mode default: deny\n  git push origin main: denied by the deny rule Bash(git push *) of ${home}/.claude/settings.json:4\n`,
    );
    expect(await explain('npm test')).toContain(`allowed by the allow rule Bash(npm test) of ${home}/.attractor/`);
    expect(await explain('make')).toMatch(/default: ask\n {2}make: .*\n {2}would be allowed by "Bash\(make\)"\n$/);
  });

  it('say nothing where nobody wrote any, and name what keeps agents from starting', async () => {
    expect(await makeWorld({}).explain('make')).toBe('');
    const broken = makeWorld({ '~/.claude/settings.json': { permissions: { deny: 'Bash' } } });
    expect(await broken.explain('make')).toMatch(/no agent starts\n.*settings\.json:3: "permissions\.deny" must be/);
  });
});
