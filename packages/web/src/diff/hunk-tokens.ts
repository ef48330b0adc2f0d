import type { FileDiff } from '@attractor/api';
import type { useSyntax } from '../ui/use-syntax.ts';
import { type DiffLine, type CodeToken } from '@attractor/api/shown';

type Hunk = FileDiff['hunks'][number];

/** The tokens of a line of a hunk. Each side is read as one text: a comment may go on over lines. */
export function hunkTokens(syntax: ReturnType<typeof useSyntax>, path: string, hunk: Hunk) {
  const side = (left: 'added' | 'removed') => {
    const text = hunk.lines.filter(({ kind }) => kind !== left).map((line) => line.text);
    return syntax?.codeLines(path, text.join('\n')) ?? null;
  };
  const [before, after] = [side('added'), side('removed')];
  return ({ kind, before: old, after: now }: DiffLine): ReadonlyArray<CodeToken> | undefined =>
    kind === 'removed' ? before?.[(old ?? 0) - hunk.oldStart] : after?.[(now ?? 0) - hunk.newStart];
}
