import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs, soakProgress, soakSeed } from '@attractor/base/testing';
import { createTracer, fillOddly, oddCommand, plantProgram, type Trespass } from '@attractor/shell/testing';
import { diceOf, type Dice, pick } from './test-support/dice.ts';
import { entriesBelow } from './test-support/entries-below.ts';
import { policyOf } from './test-support/rules.ts';
import type { Policy } from './policy.ts';

const PATH = '/usr/bin:/bin';
const RULES = ['.env', '*.txt', 'in/deep/**', 'docs', './a', 'key.pem', '**/b', '-d/*', 'in/[a-c]*', './**'];
const WITHOUT_TRACER = 'no tracer here: bubblewrap or strace is missing, or may not run';

/** Without a tracer here: null. */
type Found = { readonly allowed: number; readonly trespasses: ReadonlyArray<Trespass> } | null;

describe('commands that are allowed in a folder of odd names, links and closed files', () => {
  it('write nothing, start nothing of the workspace, and read nothing outside it or that a rule closes', async ({
    skip,
  }) => {
    const start = soakSeed(7);
    const [worlds, each] = [runs(4, 1_000), runs(40, 100)];
    const tell = soakProgress({ what: 'commands in odd folders', seed: start, count: worlds * each });
    let allowed = 0;
    for (let seed = start; seed < start + worlds; seed += 1) {
      const found = await search(diceOf(seed), each);
      if (found === null) return skip(WITHOUT_TRACER);
      allowed += found.allowed;
      expect(found.trespasses, `SOAK_SEED=${String(seed)}`).toEqual([]);
      tell((seed + 1 - start) * each);
    }
    expect(allowed).toBeGreaterThan(worlds * 5);
  });

  it('are seen when they read outside, read a closed file or start a program of the workspace', ({ skip }) => {
    const root = makeFolder({ 'bin/README': 'x', 'docs/a.md': 'x' });
    const outside = makeFolder({ 'letters.txt': 'a letter\n' });
    const bin = join(root, 'bin');
    plantProgram(bin, 'ls');
    writeFileSync(join(root, 'list'), 'x');
    fillOddly(root, outside, () => 0);
    const secrets = [join(root, 'docs/a.md')];
    const trace = createTracer({
      project: root,
      place: root,
      scratch: makeFolder(),
      outside,
      secrets,
      programs: [bin],
    });
    if (trace === null) return skip(WITHOUT_TRACER);
    const found = trace(['cat z', 'cat docs/*.md', 'ls', 'cat list']).map(({ findings }) => findings.join());
    expect(found).toEqual([
      expect.stringContaining('letters.txt'),
      expect.stringContaining('docs/a.md'),
      expect.stringContaining('bin/ls'),
    ]);
  });
});

/** One folder, and all commands that are allowed there really run. What the file tool may not read no command reads unasked. */
async function search(dice: Dice, count: number): Promise<Found> {
  const root = makeFolder({ 'bin/README': 'x' });
  const outside = makeFolder({ 'letters.txt': 'a letter\n', 'further/b.txt': 'another\n' });
  fillOddly(root, outside, dice.roll);
  const bin = join(root, 'bin');
  plantProgram(bin, pick(['cat', 'ls', 'grep', 'xargs', 'find', 'wc', 'gzip'], dice));
  const deny = Array.from({ length: dice.roll(3) }, () => `Read(${pick(RULES, dice)})`);
  const policy = policyOf({ deny }, { root, variables: { PATH: `${bin}:${PATH}` } });
  const secrets = await closedFiles(root, policy);
  const scratch = makeFolder();
  const trace = createTracer({ project: root, place: root, scratch, outside, secrets, programs: [bin] });
  if (trace === null) return null;
  const allowed = new Set<string>();
  for (let at = 0; at < count; at += 1) {
    const command = oddCommand(dice.roll);
    if ((await policy.judge({ toolName: 'shell', args: { command } })).decision === 'allow') allowed.add(command);
  }
  const trespasses = trace([...allowed]).map((one) => ({ deny, ...one }));
  for (const folder of [root, outside, scratch]) rmSync(folder, { recursive: true, force: true });
  return { allowed: allowed.size, trespasses };
}

async function closedFiles(root: string, policy: Policy): Promise<ReadonlyArray<string>> {
  const closed: string[] = [];
  for (const entry of entriesBelow(root)) {
    const at = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    if ((await policy.judge({ toolName: 'read_file', args: { file_path: at } })).decision === 'deny') closed.push(at);
  }
  return closed;
}
