import type { FileDiff } from '@attractor/api';
import { isSeen, type KnownLines, NO_LINES, unfold } from '@attractor/api/shown';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '../data/api.ts';
import { useCommand } from '../ui/use-command.ts';

type OfFile = { readonly taskId: string; readonly file: FileDiff; readonly headCommit: string };

/** What is seen of a changed file; what nothing changed is asked for when somebody wants to see it. */
export function useUnfolding({ taskId, file, headCommit }: OfFile) {
  const cache = useQueryClient();
  const { error, run } = useCommand();
  const [{ of, known }, setKnown] = useState({ of: '', known: NO_LINES });
  // Of another content nothing is known.
  const current = of === file.contents ? known : NO_LINES;
  const pieces = useMemo(() => unfold(file.hunks, current), [file, current]);
  const onUnfold = async (from: number, count: number) => {
    const found = await run(() => api.branches.lines(taskId, { path: file.path, from, count }));
    if (found === null) return;
    // The branch has moved on: lines of one commit do not stand among those of another.
    if (found.commit !== headCommit) await cache.invalidateQueries({ queryKey: ['diff', taskId] });
    else setKnown({ of: file.contents, known: withLines(current, found) });
  };
  return { pieces, error, onUnfold, isSeen: (at: Parameters<typeof isSeen>[1]) => isSeen(pieces, at) };
}

type Found = { readonly from: number; readonly lines: ReadonlyArray<string>; readonly total: number };

function withLines({ lines }: KnownLines, found: Found): KnownLines {
  const more = found.lines.map((text, at) => [found.from + at, text] as const);
  return { lines: new Map([...lines, ...more]), total: found.total };
}
