import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bundledProgram, makeFolder } from '@attractor/base/testing';
import { openUndo } from './undo.ts';
import { contents, open, put, runs, valueOf } from './test-support/workspace.ts';

const child = (name: string): string => bundledProgram(path.join(import.meta.dirname, 'test-support', name));

describe('undo', () => {
  it('finishes at the next open a rewind that was killed in the middle', async () => {
    const reached = new Set<string>();
    // On a busy machine a rewind may be over before its kill comes: then there is another one.
    for (let kill = 0; kill < runs(3) || !reached.has('finished'); kill += 1)
      reached.add(await killedRewind(kill % runs(3)));
    expect([...reached]).toContain('finished');
  });

  it('changes nothing when the disk is full or a folder is on another one, and works again when there is room', () => {
    const args = ['-Urm', process.execPath, child('full-disk-child.ts'), makeFolder()];
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    expect({ stderr, told: JSON.parse(stdout || '{}') }).toEqual({
      stderr: '',
      told: {
        fullSnapshot: 'no_space',
        roomySnapshot: 'ok',
        fullRewind: 'no_space',
        isUntouched: true,
        roomyRewind: 'ok',
        isBack: true,
        roomyRedo: 'ok',
        isForth: true,
        mountedRewind: 'other_file_system',
        mounted: ['new', 'new', 'new'],
        leftovers: [],
      },
    });
  });
});

/** What the next open said. Each kill comes a little later after the first file was touched. */
async function killedRewind(kill: number): Promise<string> {
  const workspace = makeFolder();
  const state = path.join(makeFolder(), 'undo');
  const undo = await open(workspace, state);
  const files = Array.from({ length: 150 }, (_, index) => path.join(workspace, `d${index % 9}/f${index}`));
  for (const file of files) put(file, 'old');
  const old = contents(workspace);
  valueOf(await undo.snapshot({ turn: 0 }));
  for (const file of files) put(file.replace(/f(\d+[02468])$/, 'g$1'), 'new', 0o600);
  const present = contents(workspace);
  valueOf(await undo.snapshot({ turn: 1 }));
  await undo.close();

  const rewinding = spawn(process.execPath, [child('rewinding-child.ts'), workspace, state], { stdio: 'ignore' });
  const ended = once(rewinding, 'exit');
  while (rewinding.exitCode === null && !isApplying(state)) await pause(1);
  await pause(kill * 2);
  rewinding.kill('SIGKILL');
  await ended;

  const { undo: again, recovered } = valueOf(await openUndo({ workspace, statePath: state }));
  expect(contents(workspace)).toEqual(recovered === 'taken_back' ? present : old);
  expect(readdirSync(workspace).filter((name) => name.startsWith('.attractor'))).toEqual([]);
  if (recovered !== 'taken_back') {
    valueOf(await again.redo());
    expect(contents(workspace)).toEqual(present);
  }
  await again.close();
  return recovered ?? 'ended before';
}

function isApplying(state: string): boolean {
  const file = path.join(state, 'restore.json');
  return existsSync(file) && readFileSync(file, 'utf8').includes('"applying"');
}
