import type { FileDiff } from '@attractor/api';
import { viewedMark } from '@attractor/api/shown';
import { useSharedDraft } from '../data/draft.ts';

/** Which files of a task's change were looked at in this browser. A mark is bound to what was seen: it goes when the file changes. */
export function useViewed(taskId: string) {
  const [kept, keep] = useSharedDraft(`${taskId}.viewed`);
  const marks = new Set(kept.split('\n').filter(Boolean));
  const isViewed = (file: FileDiff) => marks.has(viewedMark(file));
  return {
    isViewed,
    seenOf: (files: ReadonlyArray<FileDiff>) => files.filter(isViewed).length,
    turn: (file: FileDiff) => {
      const mark = viewedMark(file);
      const next = marks.has(mark) ? [...marks].filter((one) => one !== mark) : [...marks, mark];
      keep(next.join('\n'));
    },
  };
}
