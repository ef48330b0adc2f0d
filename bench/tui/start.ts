import { startModelServer } from '../measuring/model-server.ts';
import { median } from '../measuring/rounds.ts';
import { row } from './goals.ts';
import { ATTRACTOR, BARE, ENV, flagsFor, newFolder } from './place.ts';
import { openPty } from './pty.ts';

const ROUNDS = 15;

/** From spawn to an echoed key, typed as soon as something is shown. */
export async function measureStart(): Promise<void> {
  const [floor, ours] = await inTurns([
    () => toEchoedKey([process.execPath, BARE], '› '),
    () => toEchoedKey([process.execPath, ATTRACTOR], '› '),
  ]);
  const ratio = ours / floor;
  row('spawn to an echoed key, beside bare node', `${times(floor, ours)}`, [[ratio, 1.5]]);
}

/** From spawn to the first word of an answer, in turns with the headless run. */
export async function measureFirstAnswer(): Promise<void> {
  const model = await startModelServer({ text: 'Hello-there, nice to meet you.' });
  const flags = flagsFor(model.baseUrl);
  try {
    const [headless, ours] = await inTurns([
      () => toText([process.execPath, ATTRACTOR, '-p', 'Say hello.', ...flags], 'Hello-there'),
      () => toText([process.execPath, ATTRACTOR, 'Say hello.', ...flags], 'Hello-there'),
    ]);
    row('spawn to the first answer, beside headless', times(headless, ours), [[ours / headless, 1.15]]);
  } finally {
    model.stop();
  }
}

export async function toEchoedKey(argv: ReadonlyArray<string>, prompt: string, env = ENV): Promise<number> {
  const pty = openPty({ argv, cwd: await newFolder(), env });
  await pty.saw(prompt);
  const from = pty.written().length;
  pty.type('Q');
  const took = (await pty.saw('Q', from)) - pty.startedAt;
  await pty.end();
  return took;
}

async function toText(argv: ReadonlyArray<string>, text: string): Promise<number> {
  const pty = openPty({ argv, cwd: await newFolder(), env: ENV });
  const took = (await pty.saw(text)) - pty.startedAt;
  await pty.end();
  return took;
}

type Measured = () => Promise<number>;

async function inTurns([floor, ours]: readonly [Measured, Measured]): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const both = [await floor(), await ours()] as const;
    // The first fills caches.
    if (round > 0) both.forEach((time, at) => times[at]?.push(time));
  }
  return [median(times[0]), median(times[1])];
}

function times(floor: number, ours: number): string {
  return `${floor.toFixed(0)} → ${ours.toFixed(0)} ms, ×${(ours / floor).toFixed(2)}`;
}
