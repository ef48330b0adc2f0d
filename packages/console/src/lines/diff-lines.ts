import type { FileDiff, TaskDiff } from '@attractor/platform';
import { readableText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';
import { table } from './layout.ts';

const MARKS = { added: '+', removed: '-', context: ' ' } as const;

/** A whole change, or with `isShort` only its files and counts. */
export function diffLines(
  { files, filesChanged, additions, deletions, truncated }: TaskDiff,
  { style, isShort }: { readonly style: Style; readonly isShort: boolean },
): ReadonlyArray<string> {
  return [
    ...(isShort ? statTable(files, style) : files.flatMap((file) => fileLines(file, style))),
    '',
    `${filesChanged} ${filesChanged === 1 ? 'file' : 'files'}, +${additions} -${deletions}${truncated ? ' (more than is shown here)' : ''}`,
  ];
}

function statTable(files: ReadonlyArray<FileDiff>, style: Style): ReadonlyArray<string> {
  return table(files, {
    style,
    none: 'No change.',
    columns: [
      { head: 'STATUS', cell: ({ status }) => status },
      {
        head: 'LINES',
        cell: ({ additions, deletions, binary }) => (binary ? 'binary' : `+${additions} -${deletions}`),
      },
      { head: 'FILE', cell: ({ path, movedFrom }) => (movedFrom === null ? path : `${movedFrom} -> ${path}`) },
    ],
  });
}

/** One file of a change, with its hunks. */
export function fileLines({ path, status, movedFrom, binary, hunks }: FileDiff, style: Style): ReadonlyArray<string> {
  const paint = { added: style.good, removed: style.bad, context: (text: string) => text } as const;
  return [
    style.bold(`${status} ${movedFrom === null ? '' : `${readableText(movedFrom)} -> `}${readableText(path)}`),
    ...(binary ? ['  binary'] : []),
    ...hunks.flatMap(({ lines, oldStart, newStart }) => [
      style.dim(`@@ -${oldStart} +${newStart} @@`),
      ...lines.map(({ kind, text }) => paint[kind](`${MARKS[kind]}${readableText(text)}`)),
    ]),
  ];
}
