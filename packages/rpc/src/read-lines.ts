import { StringDecoder } from 'node:string_decoder';

const MAX_LINE = 4 << 20;

/** Cuts bytes into lines. A longer line than any program writes is left out; empty ones are too. */
export function readLines(take: (line: string) => void): {
  readonly push: (chunk: Buffer) => void;
  readonly end: () => void;
} {
  const decoder = new StringDecoder('utf8');
  let [open, isTooLong] = ['', false];
  const push = (text: string): void => {
    const lines = `${open}${text}`.split('\n');
    open = lines.pop() ?? '';
    for (const [index, line] of lines.entries()) if ((index > 0 || !isTooLong) && line.trim() !== '') take(line);
    if (lines.length > 0) isTooLong = false;
    if (open.length <= MAX_LINE) return;
    isTooLong = true;
    open = '';
  };
  return { push: (chunk) => push(decoder.write(chunk)), end: () => push(`${decoder.end()}\n`) };
}

/** Undefined if it is not JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
