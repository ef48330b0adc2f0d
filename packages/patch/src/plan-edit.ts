import { describeNearMiss } from './near-miss.ts';
import { describeEditProblem, type EditProblem } from './edit-problem.ts';
import type { Overlooked } from './equivalence.ts';
import { findRegions, type Region } from './find-regions.ts';

/** `count`: how many places must exist to be replaced. */
export type EditRequest = { readonly oldText: string; readonly newText: string; readonly count: number | 'all' };

/** `oldText` and `newText` are those of the first place, as in the file before and after; `lines` are where the places begin. */
export type PlannedEdit =
  | {
      readonly ok: true;
      readonly content: string;
      readonly lines: ReadonlyArray<number>;
      readonly oldText: string;
      readonly newText: string;
      readonly overlooked: Overlooked | null;
    }
  | { readonly ok: false; readonly problem: EditProblem; readonly reason: string };

/** Pure: what the file would become, or why not. Bytes outside the replaced text stay as they are; line endings follow the file. */
export function planEdit(content: string, request: EditRequest): PlannedEdit {
  const { oldText, newText, count } = request;
  if (oldText === '') return refused({ kind: 'empty' });
  if (oldText === newText) return refused({ kind: 'same' });
  if (!oldText.isWellFormed()) return refused({ kind: 'old_not_text' });
  if (!newText.isWellFormed()) return refused({ kind: 'new_not_text' });
  const found = findRegions(content, oldText, newText);
  if (found === null) return refused({ kind: 'not_found', near: describeNearMiss(content, oldText) });
  if ('problem' in found) return refused(found.problem);
  const { regions, overlooked, overlapping } = found;
  const lines = linesAt(content, regions);
  const [first] = regions;
  if (first === undefined || (count !== 'all' && (regions.length !== count || (overlapping && count === 1)))) {
    return refused({ kind: 'wrong_count', lines, overlooked, overlapping, expected: count });
  }
  return {
    ok: true,
    content: replaced(content, regions),
    lines,
    oldText: content.slice(first.from, first.to),
    newText: first.replacement,
    overlooked,
  };
}

function replaced(content: string, regions: ReadonlyArray<Region>): string {
  const pieces: string[] = [];
  let from = 0;
  for (const region of regions) {
    pieces.push(content.slice(from, region.from), region.replacement);
    from = region.to;
  }
  pieces.push(content.slice(from));
  return pieces.join('');
}

/** One pass over the text, however many regions there are. */
function linesAt(content: string, regions: ReadonlyArray<Region>): ReadonlyArray<number> {
  const end = content.includes('\n') ? '\n' : '\r';
  let line = 1;
  let next = content.indexOf(end);
  return regions.map(({ from }) => {
    for (; next >= 0 && next < from; next = content.indexOf(end, next + 1)) line++;
    return line;
  });
}

function refused(problem: EditProblem): PlannedEdit {
  return { ok: false, problem, reason: describeEditProblem(problem) };
}
