import type { Fault, FaultOf, Turn } from '../script/types.ts';
import type { DeliveryStep } from '../wire/http.ts';
import { findFault } from './active.ts';

export interface Delivery {
  /** The body, one piece for each event; a whole JSON body is one piece. */
  pieces: readonly (string | Uint8Array)[];
  /** How many pieces come before anything visible. */
  opening: number;
  ping: string;
  turn: Turn;
  faults: readonly Fault[];
}

/** How the bytes are sent: in which chunks, at what pace, and where they stop. */
export function deliverySteps(delivery: Delivery): DeliveryStep[] {
  const { turn, faults } = delivery;
  const start: DeliveryStep[] = turn.delayMs ? [{ do: 'wait', ms: turn.delayMs }] : [];
  const pings = findFault(faults, 'pings');
  if (pings) return [...start, ...pingSteps(delivery, pings)];
  const steps = paced(chunksOf(delivery), delivery);
  const cut = findFault(faults, 'cut');
  if (cut) return [...start, ...cutSteps(steps, cut)];
  const stall = findFault(faults, 'stall');
  return [...start, ...(stall ? stallSteps(steps, stall) : steps)];
}

function pingSteps(delivery: Delivery, fault: FaultOf<'pings'>): DeliveryStep[] {
  const everyMs = fault.everyMs ?? 50;
  const before = bytesOf(delivery.pieces.slice(0, delivery.opening));
  const ping = Buffer.from(delivery.ping);
  const opening: DeliveryStep[] = before.length > 0 ? [{ do: 'send', bytes: before }] : [];
  const count = fault.count ?? 'forever';
  if (count === 'forever') return [...opening, { do: 'repeat', bytes: ping, everyMs }];
  const pings = Array.from({ length: count }, (): DeliveryStep[] => [
    { do: 'send', bytes: ping },
    { do: 'wait', ms: everyMs },
  ]);
  return [...opening, ...pings.flat(), { do: 'send', bytes: bytesOf(delivery.pieces.slice(delivery.opening)) }];
}

function chunksOf({ pieces, turn, faults }: Delivery): Uint8Array[] {
  const slow = findFault(faults, 'slow');
  if (slow) return split(bytesOf(pieces), everyN(slow.bytes ?? 1));
  if (turn.chunkBoundaries) return splitAt(bytesOf(pieces), turn.chunkBoundaries);
  if (typeof turn.chunkSize === 'number') return split(bytesOf(pieces), everyN(turn.chunkSize));
  if (turn.chunkSize) return split(bytesOf(pieces), randomSizes(turn.chunkSize.random, turn.chunkSize.max ?? 16));
  if (turn.eventDelayMs) return pieces.map(toBytes);
  return [bytesOf(pieces)];
}

function bytesOf(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(pieces.map(toBytes));
}

function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece) : piece;
}

function everyN(size: number): () => number {
  return () => size;
}

/** A small linear congruential generator: the same seed gives the same chunks on every machine. */
function randomSizes(seed: number, max: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 1 + ((state >>> 8) % max);
  };
}

function split(bytes: Uint8Array, nextSize: () => number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + nextSize();
    chunks.push(bytes.subarray(start, end));
    start = end;
  }
  return chunks;
}

function splitAt(bytes: Uint8Array, boundaries: number[]): Uint8Array[] {
  const cuts = [...new Set(boundaries)].filter((at) => at < bytes.length).toSorted((a, b) => a - b);
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length));
}

function paced(chunks: Uint8Array[], { turn, faults }: Delivery): DeliveryStep[] {
  const ms = findFault(faults, 'slow')?.everyMs ?? (findFault(faults, 'slow') ? 10 : turn.eventDelayMs);
  return chunks.flatMap((bytes, index): DeliveryStep[] =>
    ms && index > 0
      ? [
          { do: 'wait', ms },
          { do: 'send', bytes },
        ]
      : [{ do: 'send', bytes }],
  );
}

/** `reset` and `end` break the connection; `clean` ends the response properly, with the stream unfinished. */
function cutSteps(steps: DeliveryStep[], fault: FaultOf<'cut'>): DeliveryStep[] {
  const total = steps.reduce((sum, step) => sum + (step.do === 'send' ? step.bytes.length : 0), 0);
  const at = fault.atByte ?? Math.floor(total * (fault.atFraction ?? 0.5));
  const kept = firstBytes(steps, at);
  const how = fault.how ?? 'reset';
  return how === 'clean' ? kept : [...kept, { do: how }];
}

function stallSteps(steps: DeliveryStep[], fault: FaultOf<'stall'>): DeliveryStep[] {
  const at = fault.atByte ?? 0;
  const hang: DeliveryStep = fault.forMs === undefined ? { do: 'hang' } : { do: 'hang', forMs: fault.forMs };
  const rest = fault.forMs === undefined ? [] : afterBytes(steps, at);
  return [...firstBytes(steps, at), hang, ...rest];
}

function firstBytes(steps: DeliveryStep[], limit: number): DeliveryStep[] {
  const kept: DeliveryStep[] = [];
  let left = limit;
  for (const step of steps) {
    if (left <= 0) break;
    if (step.do !== 'send') kept.push(step);
    else kept.push({ do: 'send', bytes: step.bytes.subarray(0, left) });
    left -= step.do === 'send' ? step.bytes.length : 0;
  }
  return kept;
}

function afterBytes(steps: DeliveryStep[], skipped: number): DeliveryStep[] {
  let left = skipped;
  return steps.flatMap((step): DeliveryStep[] => {
    if (step.do !== 'send') return left > 0 ? [] : [step];
    const bytes = step.bytes.subarray(Math.max(0, left));
    left -= step.bytes.length;
    return bytes.length > 0 ? [{ do: 'send', bytes }] : [];
  });
}
