import { rowOf } from './names.ts';

/** The change that a call asks for, as lines with `-` and `+`; null: it changes no text that it shows. */
export function changeOf(toolName: string, args: Readonly<Record<string, unknown>>): string | null {
  const shown = rowOf(toolName)?.shown?.(args);
  const { file_path: file, patch } = args;
  if (shown === undefined || (typeof file !== 'string' && typeof patch !== 'string')) return null;
  return shown;
}

export type ChangedLines = {
  readonly before: ReadonlyArray<string>;
  readonly removed: ReadonlyArray<string>;
  readonly added: ReadonlyArray<string>;
  readonly after: ReadonlyArray<string>;
};

/** Lines that are the same at the beginning and at the end were not changed: they only say where. */
export function changedOnly(removed: ReadonlyArray<string>, added: ReadonlyArray<string>): ChangedLines {
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head] === added[head]) head += 1;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  return {
    before: removed.slice(0, head),
    removed: removed.slice(head, removed.length - tail),
    added: added.slice(head, added.length - tail),
    after: tail === 0 ? [] : removed.slice(-tail),
  };
}

/** `+3 −1`. */
export function diffCount(shown: string): { readonly added: number; readonly removed: number } {
  const [, ...lines] = shown.split('\n');
  const removed = lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
  const added = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
  const hunk = changedOnly(removed, added);
  return { added: hunk.added.length, removed: hunk.removed.length };
}
