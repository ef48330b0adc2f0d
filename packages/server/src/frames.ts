import { FRAME } from '@attractor/api';
import type { LiveDelta, PlatformEvent } from '@attractor/platform';

/** The stream's frames as bytes. A frame that many viewers get is made once. */
export type Frames = {
  readonly event: (event: PlatformEvent) => Uint8Array;
  readonly delta: (delta: LiveDelta) => Uint8Array;
};

export function createFrames(): Frames {
  const deltas = new WeakMap<LiveDelta, Uint8Array>();
  return {
    event: (event) => numbered(FRAME.event, event.seq, event),
    delta: (delta) => {
      const made = deltas.get(delta) ?? Buffer.from(`event: ${FRAME.delta}\ndata: ${JSON.stringify(delta)}\n\n`);
      deltas.set(delta, made);
      return made;
    },
  };
}

const RETRY_MS = 1000;

/** How soon a viewer that lost its connection comes back. */
export const RETRY = Buffer.from(`retry: ${RETRY_MS}\n\n`);

export const BEAT = Buffer.from(': beat\n\n');

export function caughtUpFrame(seq: number): Uint8Array {
  return numbered(FRAME.caughtUp, seq, {});
}

export function closingFrame(seq: number): Uint8Array {
  return Buffer.concat([Buffer.from(`retry: ${RETRY_MS}\n`), numbered(FRAME.closing, seq, {})]);
}

function numbered(name: string, seq: number, data: PlatformEvent | Readonly<Record<string, never>>): Uint8Array {
  return Buffer.from(`id: ${seq}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}
