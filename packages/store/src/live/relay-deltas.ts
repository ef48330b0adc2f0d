import { isRecord } from '@attractor/base';
import { newId } from '@attractor/base/id';
import type { LiveChannel } from '../database/live-channel.ts';
import type { LiveDelta } from '../types/event.ts';

type Delta = LiveDelta['delta'];

/** What one process tells the others of a run. `isQuiet`: for who comes later; who watches knows it from the log. `isOver`: no more comes. */
export type Relayed = {
  readonly taskId: string;
  readonly runId: string;
  readonly deltas: ReadonlyArray<Delta>;
  readonly isQuiet?: boolean;
  readonly isOver?: boolean;
};

export type DeltaRelay = {
  /** Somebody watches. */
  readonly listen: () => void;
  readonly send: (delta: LiveDelta) => void;
  /** At once, after everything that was sent before. */
  readonly tell: (relayed: Relayed) => void;
};

/** Text is collected for so long, because each message costs the database a little. */
const COLLECT_MS = 150;
/** In characters: escaped, and in bytes, it still fits a message. */
const PIECE = 1_200;
/** What is not told by then is too much to be read live. */
const MOST_PIECES = 50;

/** Hands live text on to the other processes of a database, and theirs to `hear`. */
export function relayDeltas(channel: LiveChannel, hear: (relayed: Relayed) => void): DeltaRelay {
  const by = newId('prc');
  const collected = new Map<string, Relayed>();
  let timer: NodeJS.Timeout | null = null;
  const put = (relayed: Relayed): void => channel.send(JSON.stringify({ by, ...relayed }));
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const { deltas, ...place } of collected.values())
      for (const one of pieces(deltas)) put({ ...place, deltas: [one] });
    collected.clear();
  };
  let isListening = false;
  const listen = (): void => {
    if (isListening) return;
    isListening = true;
    channel.listen((message) => {
      const told = readRelayed(message, by);
      if (told !== null) hear(told);
    });
  };
  if (channel.keeps !== true) listen();
  return {
    listen,
    send: ({ taskId, runId, delta }) => {
      const before = collected.get(runId)?.deltas ?? [];
      collected.set(runId, { taskId, runId, deltas: joined(before, delta) });
      timer ??= setTimeout(flush, COLLECT_MS).unref();
    },
    tell: ({ deltas, ...relayed }) => {
      flush();
      const [first, ...rest] = pieces(deltas);
      put({ ...relayed, deltas: first === undefined ? [] : [first] });
      for (const one of rest) put({ ...relayed, deltas: [one] });
    },
  };
}

/** Pieces of the same text are one. */
function joined(deltas: ReadonlyArray<Delta>, next: Delta): ReadonlyArray<Delta> {
  const last = deltas.at(-1);
  const isSame = last?.kind === next.kind && last['toolCallId'] === next['toolCallId'];
  if (!isSame || typeof last['text'] !== 'string' || typeof next['text'] !== 'string') return [...deltas, next];
  return [...deltas.slice(0, -1), { ...next, text: last['text'] + next['text'] }];
}

function pieces(deltas: ReadonlyArray<Delta>): ReadonlyArray<Delta> {
  const all = deltas.flatMap((delta) => {
    const { text } = delta;
    if (typeof text !== 'string') return [delta];
    const count = Math.ceil(text.length / PIECE);
    return Array.from({ length: count }, (_, at) => ({ ...delta, text: text.slice(at * PIECE, (at + 1) * PIECE) }));
  });
  return all.slice(-MOST_PIECES);
}

function readRelayed(message: string, own: string): Relayed | null {
  try {
    const told: unknown = JSON.parse(message);
    if (!isRecord(told) || told['by'] === own || !Array.isArray(told['deltas'])) return null;
    const { taskId, runId, deltas, isQuiet, isOver } = told;
    if (typeof taskId !== 'string' || typeof runId !== 'string' || !deltas.every(isDelta)) return null;
    return { taskId, runId, deltas, isQuiet: isQuiet === true, isOver: isOver === true };
  } catch {
    return null;
  }
}

function isDelta(value: unknown): value is Delta {
  return isRecord(value) && typeof value['kind'] === 'string';
}
