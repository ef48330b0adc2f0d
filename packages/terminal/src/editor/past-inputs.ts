import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '@attractor/base';

/** What people said before, in this and in earlier sessions, the oldest first. */
export type PastInputs = {
  readonly list: () => ReadonlyArray<string>;
  readonly add: (text: string) => void;
  /** Resolves when the file has been read and everything that was added is in it. */
  readonly settled: () => Promise<void>;
};

const MOST = 1_000;
const LONGEST = 20_000;

/** A file of lines that every process adds to; a line that can't be read is left out. */
export function openPastInputs(file: string): PastInputs {
  let inputs: string[] = [];
  let working = soon()
    .then(() => readFile(file, 'utf8'))
    .then(
      (text) => {
        inputs = [...inputsIn(text), ...inputs].slice(-MOST);
      },
      () => undefined,
    );
  return {
    list: () => inputs,
    add: (text) => {
      if (text.trim() === '' || text.length > LONGEST || inputs.at(-1) === text) return;
      inputs = [...inputs, text].slice(-MOST);
      working = working.then(() => keep(file, text)).catch(() => undefined);
    },
    settled: () => working,
  };
}

/** After the first frame and the first keys: nobody asks for an earlier input sooner. */
const SOON_MS = 15;

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SOON_MS));
}

async function keep(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await appendFile(file, `${JSON.stringify({ text })}\n`, { mode: 0o600 });
}

function inputsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const input = textIn(line);
    return input === null ? [] : [input];
  });
}

function textIn(line: string): string | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && typeof value['text'] === 'string' ? value['text'] : null;
  } catch {
    return null;
  }
}

/** The newest input before `from` that contains the text; null: there is none. */
export function searchInputs(
  inputs: ReadonlyArray<string>,
  text: string,
  from: number,
): { readonly index: number; readonly input: string } | null {
  const wanted = text.toLowerCase();
  for (let index = Math.min(from, inputs.length) - 1; index >= 0; index -= 1) {
    const input = inputs[index] ?? '';
    if (input.toLowerCase().includes(wanted)) return { index, input };
  }
  return null;
}
