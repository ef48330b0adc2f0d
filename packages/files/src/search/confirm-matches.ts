import { readSync } from 'node:fs';
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Match } from './match.ts';
import { withOpenFile } from '../read/open-file.ts';

/** No line is compared beyond this; what is shown of one is shorter. */
const MAX_LINE_BYTES = 64 << 10;
const CHUNK_BYTES = 256 << 10;
/** Other work gets a turn after this many files, or chunks of one. */
const EVERY = 64;
const CUT = / \[\.\.\. (?:omitted end of long (?:matching |context )?line|\d+ more match(?:es)?)\]$/;

export type Confirmation = {
  readonly root: string;
  readonly maxResults: number;
  readonly signal?: AbortSignal | undefined;
  /** What the matches show of their lines; absent: whole lines. */
  readonly shows?: 'lines' | 'parts';
};

/**
 * A search program opens files by name, so a file that was briefly a link may have led it outside. Only lines that the file inside the root
 * really has are passed on: each is read again through a checked descriptor, and must be the same. What changed meanwhile is left out. No
 * more files are read than results are wanted. Matches of a file are adjacent, ordered by line.
 */
export async function confirmMatches(
  matches: ReadonlyArray<Match>,
  { root, maxResults, signal, shows = 'lines' }: Confirmation,
): Promise<ReadonlyArray<Match>> {
  const confirmed: Match[] = [];
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let results = 0;
  let files = 0;
  for (let start = 0, end = 0; start < matches.length && results < maxResults; start = end) {
    const file = matches[start]?.file ?? '';
    while (matches[end]?.file === file) end++;
    if (++files % EVERY === 0) await othersFirst();
    signal?.throwIfAborted();
    for (const match of await saidByFile({ root, file, chunk, shows }, matches.slice(start, end))) {
      confirmed.push(match);
      if (!match.isContext) results++;
    }
  }
  return confirmed;
}

type Source = {
  readonly root: string;
  readonly file: string;
  readonly chunk: Buffer;
  readonly shows: 'lines' | 'parts';
};

async function saidByFile(
  { root, file, chunk, shows }: Source,
  matches: ReadonlyArray<Match>,
): Promise<ReadonlyArray<Match>> {
  try {
    return await withOpenFile(root, file, async ({ fd }) => {
      const wanted = [...new Set(matches.map(({ line }) => line))];
      const lines = await readLines(fd, chunk, wanted);
      const isSaid = shows === 'lines' ? isSame : holds;
      return matches.filter(({ line, text }) => isSaid(lines.get(line), text));
    });
  } catch {
    return [];
  }
}

function isSame(line: string | undefined, shown: string): boolean {
  if (line === undefined) return false;
  return line === shown || (CUT.test(shown) && line.startsWith(shown.replace(CUT, '')));
}

function holds(line: string | undefined, shown: string): boolean {
  return line?.includes(shown.replace(CUT, '')) === true;
}

/** The wanted lines, numbered from 1 and in order, without their endings. */
async function readLines(
  fd: number,
  chunk: Buffer,
  wanted: ReadonlyArray<number>,
): Promise<ReadonlyMap<number, string>> {
  const lines = new Map<number, string>();
  const state: Scan = { line: 1, next: 0, wanted, parts: [], kept: 0, lines };
  for (let chunks = 1; state.next < wanted.length; chunks++) {
    const size = readSync(fd, chunk, 0, CHUNK_BYTES, null);
    if (chunks === 1 && isUtf16(chunk.subarray(0, size))) return readUtf16(fd, chunk.subarray(0, size), wanted);
    if (size === 0) {
      takeLine(state);
      break;
    }
    scan(state, chunk.subarray(0, size));
    if (chunks % EVERY === 0) await othersFirst();
  }
  return lines;
}

type Scan = {
  line: number;
  next: number;
  readonly wanted: ReadonlyArray<number>;
  parts: Buffer[];
  kept: number;
  readonly lines: Map<number, string>;
};

function scan(state: Scan, chunk: Buffer): void {
  for (let at = 0; at < chunk.length && state.next < state.wanted.length;) {
    const newline = chunk.indexOf(10, at);
    const end = newline < 0 ? chunk.length : newline;
    if (state.line === state.wanted[state.next] && state.kept < MAX_LINE_BYTES) {
      const part = chunk.subarray(at, Math.min(end, at + MAX_LINE_BYTES - state.kept));
      state.parts.push(Buffer.from(part));
      state.kept += part.length;
    }
    if (newline < 0) return;
    takeLine(state);
    state.line++;
    at = newline + 1;
  }
}

function takeLine(state: Scan): void {
  if (state.line !== state.wanted[state.next]) return;
  state.lines.set(state.line, plain(Buffer.concat(state.parts).toString('utf8')));
  state.next++;
  state.parts = [];
  state.kept = 0;
}

/** As the search shows a line: without a byte order mark and without the CR of a Windows line ending. */
function plain(line: string): string {
  return line.replace(/^\ufeff/, '').replace(/\r$/, '');
}

function isUtf16(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes.readUInt16BE(0) === 0xfeff || bytes.readUInt16BE(0) === 0xfffe);
}

const MAX_UTF16_BYTES = 32 << 20;

/** Such files are rare and small; the search program reads them too. */
function readUtf16(fd: number, start: Buffer, wanted: ReadonlyArray<number>): ReadonlyMap<number, string> {
  const parts = [Buffer.from(start)];
  for (let total = start.length; total < MAX_UTF16_BYTES;) {
    const part = Buffer.allocUnsafe(CHUNK_BYTES);
    const size = readSync(fd, part, 0, CHUNK_BYTES, null);
    if (size === 0) break;
    parts.push(part.subarray(0, size));
    total += size;
  }
  const bytes = Buffer.concat(parts);
  const text = new TextDecoder(bytes[0] === 0xfe ? 'utf-16be' : 'utf-16le').decode(bytes).split('\n');
  return new Map(wanted.flatMap((line) => (text[line - 1] === undefined ? [] : [[line, plain(text[line - 1] ?? '')]])));
}
