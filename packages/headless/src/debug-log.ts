import { appendFileSync } from 'node:fs';
import { messageOf } from '@attractor/base';
import type { DeliveredEvent } from '@attractor/journal';
import type { HeadlessInput } from './headless-input.ts';

const MAX_CHARS = 2_000;

/** For `--debug` and `--debug-file`: every step of the session as a line, on stderr or in the file. Null: nobody asked for it. */
export function debugLog({ flags, tell }: HeadlessInput): ((event: DeliveredEvent) => void) | null {
  const { debug, debugFile } = flags;
  if (debugFile === undefined) return debug === undefined ? null : (event) => whenTold(event, tell);
  let isLost = false;
  const write = (line: string): void => {
    if (isLost) return;
    try {
      appendFileSync(debugFile, `${line}\n`);
    } catch (error) {
      isLost = true;
      tell(`--debug-file: ${messageOf(error)}`);
    }
  };
  return (event) => whenTold(event, write);
}

/** Pieces of an answer are left out: the whole of it follows. */
function whenTold({ kind, ...about }: DeliveredEvent, write: (line: string) => void): void {
  if (kind.endsWith('_DELTA')) return;
  const text = JSON.stringify(about);
  const shown = text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}…`;
  write(`[debug] ${new Date().toISOString()} ${kind} ${shown}`);
}
