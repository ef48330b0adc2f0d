import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJournal } from '@attractor/journal';
import { bundledProgram, makeFolder } from '@attractor/base/testing';

const program = new URL('../test-support/killable-compaction-child.ts', import.meta.url).pathname;

/** Runs the program until it stands still, then kills it; without a moment until it ends. */
function run(root: string, moment: string): Promise<string> {
  const child = spawn(process.execPath, [bundledProgram(program), root, moment], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on('data', () => child.kill('SIGKILL'));
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? `exit ${code}`));
  });
}

describe('a process that is killed in the middle of a compaction', () => {
  it.each(['before', 'during', 'unsynced', 'after'])('(%s) loses nothing and does nothing twice', async (moment) => {
    const root = makeFolder();
    expect(await run(root, moment)).toBe('SIGKILL');
    expect(await run(root, 'none')).toBe('exit 0');
    const effects = readFileSync(path.join(root, 'effects'), 'utf8').trim().split('\n');
    expect(effects).toEqual(Array.from({ length: 6 }, (_, step) => `step-${step}`));
    const kinds = readJournal(path.join(root, 'state', 'session.jsonl')).records.map(({ event }) => event.kind);
    expect(kinds.filter((kind) => kind === 'COMPACTED').length).toBeGreaterThan(0);
    expect(kinds.filter((kind) => kind === 'USER_INPUT')).toHaveLength(1);
    expect(readFileSync(path.join(root, 'last-request.json'), 'utf8')).toContain('never touch legal.txt');
  });
});
