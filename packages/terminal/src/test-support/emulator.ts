import { createRequire } from 'node:module';
import type { Output } from '../screen/output.ts';

/** The parts of `@xterm/headless` that are used here. It is CommonJS without named exports, so it is required. */
type BufferLine = {
  readonly isWrapped: boolean;
  readonly translateToString: (trim: boolean, from?: number, to?: number) => string;
};
type XtermBuffer = {
  readonly length: number;
  readonly baseY: number;
  readonly cursorX: number;
  readonly cursorY: number;
  readonly getLine: (at: number) => BufferLine | undefined;
};
type Xterm = {
  readonly write: (text: string, done: () => void) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly buffer: { readonly active: XtermBuffer; readonly normal: XtermBuffer };
};
type Headless = { readonly Terminal: new (options: object) => Xterm };

/** A terminal without a window: what is written to it can be read as a person would see it. */
export type Emulator = {
  readonly write: (bytes: string) => Promise<void>;
  readonly resize: (columns: number, rows: number) => void;
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Everything that it holds, scrolled away or not, one string for each logical line. */
  readonly lines: () => ReadonlyArray<string>;
  /** The logical line up to the cursor. */
  readonly beforeCursor: () => string;
  readonly written: () => string;
  /** An output that writes here, whole frames at a time. */
  readonly output: Output;
  readonly settled: () => Promise<void>;
};

export function createEmulator(columns: number, rows: number): Emulator {
  const require = createRequire(import.meta.url);
  const { Terminal }: Headless = require('@xterm/headless');
  const terminal = new Terminal({ cols: columns, rows, scrollback: 100_000, allowProposedApi: true });
  let size = { columns, rows };
  let written = '';
  let working = Promise.resolve();
  let isBusy = false;
  const write = (bytes: string): Promise<void> => {
    written += bytes;
    working = working.then(() => new Promise((resolve) => terminal.write(bytes, resolve)));
    return working;
  };
  return {
    write,
    resize: (nextColumns, nextRows) => {
      size = { columns: nextColumns, rows: nextRows };
      terminal.resize(nextColumns, nextRows);
    },
    size: () => size,
    lines: () => logicalLines(terminal.buffer.active),
    beforeCursor: () => {
      const { baseY, cursorY, cursorX, getLine } = terminal.buffer.active;
      return getLine.call(terminal.buffer.active, baseY + cursorY)?.translateToString(false, 0, cursorX) ?? '';
    },
    written: () => written,
    output: {
      isIdle: () => !isBusy,
      send: (bytes, done) => {
        isBusy = true;
        const sent = async (): Promise<void> => {
          await write(bytes);
          isBusy = false;
          done();
        };
        void sent();
      },
      sendNow: (bytes) => void write(bytes),
    },
    settled: () => working,
  };
}

function logicalLines(buffer: XtermBuffer): ReadonlyArray<string> {
  const lines: string[] = [];
  for (let at = 0; at < buffer.length; at += 1) {
    const line = buffer.getLine(at);
    if (line === undefined) continue;
    const next = buffer.getLine(at + 1);
    const text = line.translateToString(next?.isWrapped !== true);
    if (line.isWrapped) lines.push((lines.pop() ?? '') + text);
    else lines.push(text);
  }
  while (lines.at(-1) === '') lines.pop();
  return lines;
}
