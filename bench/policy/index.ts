/** What judging a shell command costs: microseconds on the published list, milliseconds on long texts, and what loading it adds to a process. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadShellPolicy } from '@attractor/agent';
import { median } from '../measuring/rounds.ts';

const ROUNDS = 30;
const FIXTURES = join(import.meta.dirname, '../../packages/agent/src/policy/shell/fixtures');
const PLACES = { cwd: '/home/me/project', root: '/home/me/project', home: '/home/me' };

const cases: ReadonlyArray<{ readonly cmd: string }> = JSON.parse(
  readFileSync(join(FIXTURES, 'commands.json'), 'utf8'),
);
const { readShell } = await loadShellPolicy();

const rounds = Array.from({ length: ROUNDS }, () => timed(() => cases.forEach(({ cmd }) => readShell(cmd, PLACES))));
const long = lengthen(10_000).map((text) => timed(() => readShell(text, PLACES)));
const huge = lengthen(2 ** 20)
  .slice(0, 20)
  .map((text) => timed(() => readShell(text, PLACES)));
const loads = { without: measureProcess('none'), loaded: measureProcess('load') };

const results = {
  'a command of the list': `${((median(rounds.slice(5)) * 1000) / cases.length).toFixed(1)} µs`,
  'a text of 10 KB, p50': `${at(long, 0.5).toFixed(2)} ms`,
  'a text of 10 KB, p99 (aim: 5 ms)': `${at(long, 0.99).toFixed(2)} ms`,
  'a text of 1 MB, worst of 20 (aim: 200 ms)': `${Math.max(...huge).toFixed(0)} ms`,
  'memory that loading adds': `${(loads.loaded.rss - loads.without.rss).toFixed(1)} MB`,
  'time that loading adds, to the end of the process': `${(loads.loaded.ms - loads.without.ms).toFixed(1)} ms`,
};
console.table(results);
console.log(JSON.stringify({ bench: 'policy', results }));

/** The commands of the list, one after the other, from a different one each time, until the text is that long. */
function lengthen(size: number): ReadonlyArray<string> {
  return cases.map((_, from) => {
    let text = '';
    for (let next = from; text.length < size; next += 1)
      text += `${cases[next % cases.length]?.cmd ?? ''}${next % 3 === 0 ? ' | ' : '\n'}`;
    return text.slice(0, size);
  });
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function at(values: ReadonlyArray<number>, share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

/** Processes that load the reader and judge one command, or do not. */
function measureProcess(what: 'none' | 'load'): { readonly ms: number; readonly rss: number } {
  const module = join(import.meta.dirname, '../../packages/agent/src/policy/shell/index.ts');
  const work =
    what === 'load'
      ? `(await import(${JSON.stringify(module)})).readShell('git log | head', ${JSON.stringify(PLACES)});`
      : '';
  const code = `${work} console.log(process.memoryUsage.rss())`;
  const runs = Array.from({ length: 9 }, () => {
    const start = performance.now();
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    return { ms: performance.now() - start, rss: Number(stdout) / 2 ** 20 };
  });
  return { ms: median(runs.map(({ ms }) => ms)), rss: median(runs.map(({ rss }) => rss)) };
}
