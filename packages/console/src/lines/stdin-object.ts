import { isRecord, messageOf } from '@attractor/base';
import { CommandFailure, EXIT } from '../exit.ts';
import { readStdin } from '../terminal/stdin.ts';

/** One JSON object that a script pipes in. Null at a terminal, and if nothing came. */
export async function stdinObject(): Promise<Readonly<Record<string, unknown>> | null> {
  if (process.stdin.isTTY) return null;
  const text = (await readStdin()).trim();
  if (text === '') return null;
  const value = parse(text);
  if (isRecord(value)) return { ...value };
  throw new CommandFailure('stdin: expected one JSON object.', EXIT.refused);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandFailure(`stdin: not valid JSON (${reason}).`, EXIT.refused);
  }
}
