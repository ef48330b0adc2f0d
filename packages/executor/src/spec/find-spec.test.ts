import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadSpec } from './find-spec.ts';

const AGENT = (name: string): string => `# ${name}\n\nYou are ${name}.\n`;

function makePlaces(): { readonly cwd: string; readonly home: string } {
  const cwd = mkdtempSync(path.join(tmpdir(), 'find-spec-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const home = path.join(cwd, 'home');
  for (const folder of ['agents', '.claude/agents', 'home/agents'])
    mkdirSync(path.join(cwd, folder), { recursive: true });
  writeFileSync(path.join(cwd, 'agents/developer.md'), AGENT('Developer'));
  writeFileSync(path.join(cwd, '.claude/agents/reviewer.md'), AGENT('Reviewer'));
  writeFileSync(path.join(home, 'agents/writer.md'), AGENT('Writer'));
  writeFileSync(path.join(home, 'agents/developer.md'), AGENT('Another developer'));
  return { cwd, home };
}

it.each([
  ['agents/developer.md', 'Developer'],
  ['developer', 'Developer'],
  ['developer.md', 'Developer'],
  ['reviewer', 'Reviewer'],
  ['writer', 'Writer'],
  ['./home/agents/developer.md', 'Another developer'],
])('%s is found where agents lie, the nearest first', (asked, name) => {
  const found = loadSpec(asked, makePlaces());
  expect(found.ok && found.value.name).toBe(name);
});

it('an absolute path is taken as it is', () => {
  const places = makePlaces();
  const found = loadSpec(path.join(places.home, 'agents/writer.md'), places);
  expect(found).toMatchObject({
    ok: true,
    value: { name: 'Writer', path: path.join(places.home, 'agents/writer.md') },
  });
});

it('an agent that is nowhere is told with those that are there', () => {
  const found = loadSpec('devloper', makePlaces());
  expect(found).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(!found.ok && found.error.message).toContain('developer, reviewer, writer');
});

it('a folder, text that is no UTF-8 and a huge file are refused by name', () => {
  const places = makePlaces();
  expect(loadSpec('agents', places)).toMatchObject({ ok: false, error: { code: 'invalid_spec' } });
  writeFileSync(path.join(places.cwd, 'latin1.md'), Buffer.from([0x23, 0x20, 0xe4, 0x0a, 0x78]));
  const latin = loadSpec('./latin1.md', places);
  expect(!latin.ok && latin.error.message).toMatch(/latin1\.md can't be read \(it is not UTF-8 text\)/);
  writeFileSync(path.join(places.cwd, 'huge.md'), `# A\n${'x'.repeat(2 << 20)}`);
  expect(loadSpec('./huge.md', places)).toMatchObject({ ok: false, error: { code: 'invalid_spec' } });
});
