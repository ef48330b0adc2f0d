import { readFileSync } from 'node:fs';
import { isRecord, messageOf } from '@attractor/base';
import { CommandFailure, EXIT } from '../exit.ts';

/** The JSON of a file that a flag names; a list stands for the subtasks of a split. */
export function readJsonFile(flag: string, file: string): object {
  const value = parse(flag, file);
  if (Array.isArray(value)) return { subtasks: value };
  if (isRecord(value)) return value;
  throw new CommandFailure(`${flag}: ${file} holds neither an object nor a list`, EXIT.refused);
}

function parse(flag: string, file: string): unknown {
  const text = textOf(flag, file);
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw new CommandFailure(`${flag}: ${file} is not valid JSON (${messageOf(error)})`, EXIT.refused);
  }
}

function textOf(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(`${flag}: can't read ${file} (${messageOf(error)})`, EXIT.notFound);
  }
}
