/**
 * The cost of judging a shell command: microseconds on the published list, milliseconds on long texts, and what loading it adds to a
 * process.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { bundleProgram } from '../measuring/bundle.ts';
import { median } from '../measuring/rounds.ts';

/** The first half warms up. */
const ROUNDS = 120;
const FIXTURES = join(import.meta.dirname, '../../packages/shell/src/fixtures');
const PLACES = { cwd: '/home/me/project', root: '/home/me/project', home: '/home/me' };

const cases: ReadonlyArray<{ readonly cmd: string; readonly expect: string }> = JSON.parse(
  readFileSync(join(FIXTURES, 'commands.json'), 'utf8'),
);
const { readShell } = await import('@attractor/shell');

const rounds = Array.from({ length: ROUNDS }, () => timed(() => cases.forEach(({ cmd }) => readShell(cmd, PLACES))));
// In the first pass the code for long texts is not compiled yet; a session that judges many is like the second.
const [fresh, long] = twice(lengthen(cases, 10_000));
const tame = cases.filter(({ cmd }) => !readShell(cmd, PLACES).parts.some(({ effect }) => effect === 'destructive'));
const [, undenied] = twice(lengthen(tame, 10_000));
const huge = lengthen(tame, 2 ** 20)
  .slice(0, 20)
  .map((text) => timed(() => readShell(text, PLACES)));
const program = await bundleProgram(join(import.meta.dirname, 'judge-one.ts'));
const loads = { without: measureProcess(program.file, 'none'), loaded: measureProcess(program.file, 'load') };
await program.remove();

const results = {
  'a command of the list, the first time': `${(((rounds[0] ?? 0) * 1000) / cases.length).toFixed(1)} µs`,
  'a command of the list, median of the later rounds': `${((median(rounds.slice(ROUNDS / 2)) * 1000) / cases.length).toFixed(1)} µs`,
  'a text of 10 KB, p99 of the first few hundred': `${at(fresh, 0.99).toFixed(2)} ms`,
  'a text of 10 KB, p50': `${at(long, 0.5).toFixed(2)} ms`,
  'a text of 10 KB, p99 (aim: 5 ms)': `${at(long, 0.99).toFixed(2)} ms`,
  'the same where nothing is denied, p50': `${at(undenied, 0.5).toFixed(2)} ms`,
  'the same where nothing is denied, p99': `${at(undenied, 0.99).toFixed(2)} ms`,
  'a text of 1 MB, worst of 20 (aim: 200 ms)': `${Math.max(...huge).toFixed(0)} ms`,
  'memory that loading adds': `${(loads.loaded.rss - loads.without.rss).toFixed(1)} MB`,
  'time that loading adds, to the end of the process': `${(loads.loaded.ms - loads.without.ms).toFixed(1)} ms`,
};
console.table(results);
console.log(JSON.stringify({ bench: 'policy', results }));

function twice(texts: ReadonlyArray<string>): readonly [ReadonlyArray<number>, ReadonlyArray<number>] {
  const pass = (): ReadonlyArray<number> => texts.map((text) => timed(() => readShell(text, PLACES)));
  return [pass(), pass()];
}

/** The commands of the list, one after the other, starting with a different one each time, until the text is that long. */
function lengthen(commands: ReadonlyArray<{ readonly cmd: string }>, size: number): ReadonlyArray<string> {
  return commands.map((_, from) => {
    let text = '';
    for (let next = from; text.length < size; next += 1)
      text += `${commands[next % commands.length]?.cmd ?? ''}${next % 3 === 0 ? ' | ' : '\n'}`;
    return text.slice(0, size);
  });
}

/** Milliseconds that this thread works, which a busy machine does not lengthen. */
function timed(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

function at(values: ReadonlyArray<number>, share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

/** Processes that load the reader and judge one command, or do not, in the form in which the command ships. */
function measureProcess(file: string, what: 'none' | 'load'): { readonly ms: number; readonly rss: number } {
  const runs = Array.from({ length: 9 }, () => {
    const start = performance.now();
    const { stdout } = spawnSync(process.execPath, [file, what], { encoding: 'utf8' });
    return { ms: performance.now() - start, rss: Number(stdout) / 2 ** 20 };
  });
  return { ms: Math.min(...runs.map(({ ms }) => ms)), rss: median(runs.map(({ rss }) => rss)) };
}
