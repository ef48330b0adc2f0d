import type { FileDiff } from '@attractor/api';
import { useDraft } from '../data/draft.ts';

/** Which files of a task's change were looked at in this browser. A mark is bound to what was seen: it goes when the file changes. */
export function useViewed(taskId: string) {
  const [kept, keep] = useDraft(`${taskId}.viewed`);
  const marks = new Set(kept.split('\n').filter(Boolean));
  const isViewed = (file: FileDiff) => marks.has(markOf(file));
  return {
    isViewed,
    seenOf: (files: ReadonlyArray<FileDiff>) => files.filter(isViewed).length,
    turn: (file: FileDiff) => {
      const mark = markOf(file);
      const next = marks.has(mark) ? [...marks].filter((one) => one !== mark) : [...marks, mark];
      keep(next.join('\n'));
    },
  };
}

function markOf(file: FileDiff): string {
  return `${fingerprint(file)} ${JSON.stringify(file.path)}`;
}

/** Short, and the same for the same change: no secret depends on it. */
function fingerprint(file: FileDiff): string {
  let sum = 5381;
  for (const character of JSON.stringify([file.status, file.contents, file.hunks]))
    sum = (sum * 33 + (character.codePointAt(0) ?? 0)) % 4_294_967_296;
  return sum.toString(36);
}
