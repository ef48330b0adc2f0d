import { writeFileSync } from 'node:fs';
import { messageOf } from '@attractor/base';
import { createLinesOf, geminiAnswer, type Line } from '@attractor/stream-json';
import { CommandFailure, putText } from '@attractor/console';
import type { GivenFlags } from './flags.ts';

type OutputFlags = Pick<GivenFlags, 'outputFormat' | 'linesOf' | 'outputLastMessage'>;

export type Output = {
  readonly write: (line: Line) => void;
  /** The result, which is the last line. */
  readonly end: (result: Line) => void;
};

/** What stdout carries, in the shape that its reader knows. */
export function createOutput({ outputFormat, linesOf, outputLastMessage }: OutputFlags): Output {
  const translated = createLinesOf(linesOf);
  const put = (line: Line): void => void putText(process.stdout, `${JSON.stringify(line)}\n`);
  const write = (line: Line): void => {
    if (outputFormat === 'stream-json') translated(line).forEach(put);
  };
  return {
    write,
    end: (result) => {
      const text = finalText(result, linesOf);
      if (outputLastMessage !== undefined) writeLast(outputLastMessage, text ?? '');
      if (outputFormat === 'stream-json') write(result);
      else if (outputFormat === 'json') put(linesOf === 'gemini' ? geminiAnswer(result) : result);
      else putText(process.stdout, text === null ? '' : `${text}\n`);
    },
  };
}

/** Null: there is none. For readers of Codex a value that fits a schema is the final text itself. */
function finalText(result: Line, linesOf: OutputFlags['linesOf']): string | null {
  if (result['is_error'] === true) return null;
  const value = linesOf === 'codex' ? result['structured_output'] : undefined;
  return value === undefined ? String(result['result']) : JSON.stringify(value);
}

function writeLast(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandFailure(`--output-last-message: ${messageOf(error)}`);
  }
}
