import { row } from './goals.ts';
import { startLineServer } from './line-server.ts';
import { THE_END } from './lines.ts';
import { ATTRACTOR, ENV, flagsFor, newFolder } from './place.ts';
import { HAS_TMUX, openWindow } from './tmux.ts';

const LINES = 400;
const BEFORE = Array.from({ length: 60 }, (_, at) => `shell line ${at}.`);
const SIZES = [
  [80, 24],
  [100, 50],
  [61, 30],
  [140, 20],
  [90, 45],
  [72, 12],
  [150, 50],
  [120, 40],
] as const;

/** Eight resizes in the middle of an answer: every line once and in order, one prompt, and what the shell had said before. */
export async function measureResizes(): Promise<void> {
  if (!HAS_TMUX) return row('eight resizes in tmux', 'tmux is not installed');
  const model = await startLineServer({ lines: LINES, kind: 'row', perSecond: 40 });
  const argv = [process.execPath, ATTRACTOR, ...flagsFor(model.baseUrl)];
  const window = openWindow({ argv, folder: await newFolder(), env: ENV, before: BEFORE });
  try {
    await window.shows('/ commands');
    window.type('begin');
    for (const [at, [columns, rows]] of SIZES.entries()) {
      await window.shows(`Row ${(at + 1) * Math.floor(LINES / (SIZES.length + 1))} of`);
      window.resize(columns, rows);
    }
    await window.shows(THE_END);
    await window.shows('/ commands');
    const shown = window.screen().split('\n');
    const count = (line: string): number => shown.filter((one) => one === line).length;
    const wanted = [...BEFORE, ...Array.from({ length: LINES }, (_, at) => `Row ${at} of the answer.`)];
    const lost = wanted.filter((line) => count(line) === 0).length;
    const doubled = wanted.filter((line) => count(line) > 1).length;
    const ghosts = shown.filter((line) => /^› (?:Ask|Type)|Working/.test(line)).length - 1;
    row(`eight resizes in tmux: lost, doubled, ghosts`, [lost, doubled, ghosts].join(', '), [
      [lost, 0],
      [doubled, 0],
      [ghosts, 0],
    ]);
  } finally {
    window.end();
    model.stop();
  }
}
