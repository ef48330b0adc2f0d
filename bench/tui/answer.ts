import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../measuring/rounds.ts';
import { row } from './goals.ts';
import { startLineServer } from './line-server.ts';
import { answerOf, THE_END } from './lines.ts';
import { ATTRACTOR, ENV, flagsFor, newFolder } from './place.ts';
import { openPty, type Pty } from './pty.ts';

const LINES = 10_000;
const MOST_KEYS = 120;

type Goals = { readonly mostCpuMs: number; readonly mostBytes?: number };

export async function measureAnswers(): Promise<void> {
  await measureAnswer('plain', { mostCpuMs: 60, mostBytes: 1.3 });
  await measureAnswer('markdown', { mostCpuMs: 300 });
}

/** One answer of ten thousand lines, a thousand a second, while a person types. What opening the session costs is not counted. */
async function measureAnswer(name: 'plain' | 'markdown', { mostCpuMs, mostBytes }: Goals): Promise<void> {
  const size = answerOf(LINES, name).join('').length;
  const model = await startLineServer({ lines: LINES, kind: name, perSecond: 1_000 });
  const argv = [process.execPath, ATTRACTOR, ...flagsFor(model.baseUrl)];
  const pty = openPty({ argv, cwd: await newFolder(), env: ENV });
  try {
    await pty.saw('/ commands');
    pty.type('begin\r');
    const said = await pty.saw('000001');
    const [idleMb, idleMs, from] = [pty.memoryMb(), pty.cpuMs(), pty.written().length];
    const keys = await typeMeanwhile(pty);
    const seconds = ((await pty.saw(THE_END, from)) - said) / 1_000;
    const cpu = ((pty.cpuMs() - idleMs) * 1_000) / LINES;
    const bytes = (pty.written().length - from) / size;
    const rate = LINES / seconds;
    row(`${name}: CPU for 1,000 lines (${rate.toFixed(0)} in a second)`, `${cpu.toFixed(0)} ms`, [[cpu, mostCpuMs]]);
    row(`${name}: bytes for a byte of text`, bytes.toFixed(2), mostBytes === undefined ? [] : [[bytes, mostBytes]]);
    tellKeys(name, keys, [2, 10]);
    const after = pty.memoryMb();
    row(`${name}: memory after ${LINES} events`, `${idleMb.toFixed(0)} → ${after.toFixed(0)} MB`, [
      [after - idleMb, 15],
    ]);
  } finally {
    await pty.end();
    model.stop();
  }
}

export function tellKeys(name: string, keys: ReadonlyArray<number>, goals?: readonly [number, number]): void {
  const sorted = keys.toSorted((one, other) => one - other);
  const [half, most] = [median(keys), sorted[Math.floor(sorted.length * 0.95)] ?? 0];
  row(
    `${name}: key to echo, p50/p95 of ${keys.length}`,
    `${half.toFixed(1)}/${most.toFixed(1)} ms`,
    goals === undefined
      ? []
      : [
          [half, goals[0]],
          [most, goals[1]],
        ],
  );
}

/** Types a word, letter by letter, and waits for each to be shown. */
export async function typeMeanwhile(pty: Pty): Promise<ReadonlyArray<number>> {
  const times: number[] = [];
  let typed = '';
  while (!pty.written().includes(THE_END) && typed.length < MOST_KEYS) {
    const key = String.fromCharCode(97 + (typed.length % 26));
    typed += key;
    const from = pty.written().length;
    const began = performance.now();
    pty.type(key);
    times.push((await pty.saw(typed.slice(-40), from)) - began);
    await delay(40);
  }
  return times;
}
