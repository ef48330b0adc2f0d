import { StringDecoder } from 'node:string_decoder';
import type { KeyEvent } from './key.ts';
import { createKeyParser } from './parse-keys.ts';

/** Long enough for the rest of a sequence over a slow line, short enough for a person who pressed Escape. */
const SEQUENCE_MS = 40;
/** A paste whose end is lost must not swallow the keyboard. */
const PASTE_MS = 2_000;

/** Bytes of a keyboard in, events out; what is not whole is completed by time. */
export type Listening = { readonly hear: (bytes: Uint8Array) => void; readonly stop: () => void };

export function listen(tell: (events: ReadonlyArray<KeyEvent>) => void): Listening {
  const decoder = new StringDecoder('utf8');
  const parser = createKeyParser();
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    timer = null;
    const events = parser.flush();
    if (events.length > 0) tell(events);
  };
  return {
    hear: (bytes) => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      const events = parser.feed(decoder.write(Buffer.from(bytes)));
      const waits = parser.waiting();
      if (waits !== 'nothing') timer = setTimeout(flush, waits === 'paste' ? PASTE_MS : SEQUENCE_MS);
      if (events.length > 0) tell(events);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
