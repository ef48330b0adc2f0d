import type { FileDiff } from '@attractor/platform';
import { readableText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';

const MARKS = { added: '+', removed: '-', context: ' ' } as const;

/** One file of a change, with its hunks. */
export function fileLines({ path, status, binary, hunks }: FileDiff, style: Style): ReadonlyArray<string> {
  const paint = { added: style.good, removed: style.bad, context: (text: string) => text } as const;
  return [
    style.bold(`${status} ${readableText(path)}`),
    ...(binary ? ['  binary'] : []),
    ...hunks.flatMap(({ lines, oldStart, newStart }) => [
      style.dim(`@@ -${oldStart} +${newStart} @@`),
      ...lines.map(({ kind, text }) => paint[kind](`${MARKS[kind]}${readableText(text)}`)),
    ]),
  ];
}
