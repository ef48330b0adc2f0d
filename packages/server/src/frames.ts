import { FRAME } from '@attractor/api';
import type { LiveDelta, PlatformEvent } from '@attractor/platform';

/** The stream's frames as bytes. A frame that many viewers get is made once. */
export type Frames = {
  readonly event: (event: PlatformEvent) => Uint8Array;
  /** For who puts many into one piece. */
  readonly textOf: (event: PlatformEvent) => string;
  readonly delta: (delta: LiveDelta) => Uint8Array;
};

export function createFrames(): Frames {
  const deltas = new WeakMap<LiveDelta, Uint8Array>();
  return {
    event: (event) => Buffer.from(textOf(event)),
    textOf,
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
  return Buffer.from(numbered(FRAME.caughtUp, seq, {}));
}

export function closingFrame(seq: number): Uint8Array {
  return Buffer.from(`retry: ${RETRY_MS}\n${numbered(FRAME.closing, seq, {})}`);
}

function textOf(event: PlatformEvent): string {
  return numbered(FRAME.event, event.seq, event);
}

function numbered(name: string, seq: number, data: PlatformEvent | Readonly<Record<string, never>>): string {
  return `id: ${seq}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
