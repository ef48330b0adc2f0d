/**
 * On a small separate file system (run it in a mount namespace): `full-disk-child.ts <empty folder>`. Fills it, tries a snapshot and a
 * rewind, makes room and tries again; then tries one across a second file system. Prints what happened as one line of JSON.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openUndo } from '../undo.ts';
import type { UndoOutcome } from '../contract.ts';

const [folder = ''] = process.argv.slice(2);
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', folder]);
const workspace = path.join(folder, 'workspace');
const filler = path.join(workspace, 'filler.ignored');
mkdirSync(workspace);
writeFileSync(path.join(workspace, '.gitignore'), '*.ignored\n');
const opened = await openUndo({ workspace, statePath: path.join(folder, 'state') });
if (!opened.ok) throw new Error(opened.error.message);
const { undo } = opened.value;

const first = noise(1);
writeFileSync(path.join(workspace, 'a'), first);
await undo.snapshot({ turn: 0 });
writeFileSync(path.join(workspace, 'a'), noise(2));
fill();
const fullSnapshot = wordOf(await undo.snapshot({ turn: 1 }));
rmSync(filler);
const roomySnapshot = wordOf(await undo.snapshot({ turn: 1 }));
fill();
const second = readFileSync(path.join(workspace, 'a'));
const fullRewind = wordOf(await undo.rewind({ turn: 0 }));
const isUntouched = readFileSync(path.join(workspace, 'a')).equals(second);
rmSync(filler);
const roomyRewind = wordOf(await undo.rewind({ turn: 0 }));
const isBack = readFileSync(path.join(workspace, 'a')).equals(first);
const roomyRedo = wordOf(await undo.redo());
const isForth = readFileSync(path.join(workspace, 'a')).equals(second);

const volume = path.join(workspace, 'volume');
mkdirSync(volume);
execFileSync('mount', ['-t', 'tmpfs', 'none', volume]);
const places = ['b', 'volume/x', 'z'].map((name) => path.join(workspace, name));
for (const place of places) writeFileSync(place, 'old');
await undo.snapshot({ turn: 2 });
for (const place of places) writeFileSync(place, 'new');
await undo.snapshot({ turn: 3 });
const mountedRewind = wordOf(await undo.rewind({ turn: 2 }));
const mounted = places.map((place) => readFileSync(place, 'utf8'));
const leftovers = readdirSync(workspace).filter((name) => name.startsWith('.attractor'));

const full = { fullSnapshot, roomySnapshot, fullRewind, isUntouched, roomyRewind, isBack, roomyRedo, isForth };
const told = { ...full, mountedRewind, mounted, leftovers };
process.stdout.write(`${JSON.stringify(told)}\n`);

function wordOf(outcome: UndoOutcome<unknown>): string {
  return outcome.ok ? 'ok' : outcome.error.code;
}

/** Half a megabyte that does not compress. */
function noise(seed: number): Buffer {
  const bytes = Buffer.alloc(512 << 10);
  let state = seed;
  for (let index = 0; index < bytes.length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

function fill(): void {
  for (let size = 1 << 20; size >= 4096; size >>= 1) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // No room for that much more: try with less.
    }
  }
}
