import { describeNearMiss } from '../near-miss.ts';
import { findRegions, type Overlooked, type Region } from './find-regions.ts';

/** `count`: how many places must be there to be replaced. */
export type EditRequest = { readonly oldText: string; readonly newText: string; readonly count: number | 'all' };

/** `oldText` and `newText` are those of the first place, as they stood and stand in the file; `lines` are where the places begin. */
export type PlannedEdit =
  | {
      readonly ok: true;
      readonly content: string;
      readonly lines: ReadonlyArray<number>;
      readonly oldText: string;
      readonly newText: string;
      readonly overlooked: Overlooked | null;
    }
  | { readonly ok: false; readonly reason: string };

/** Pure: what the file would become, or why not. Bytes outside the replaced text stay as they are; line ends follow the file. */
export function planEdit(content: string, request: EditRequest): PlannedEdit {
  const { oldText, newText, count } = request;
  if (oldText === '') return refused('old_string is empty; use write_file for a new file.');
  if (oldText === newText) return refused('old_string and new_string are the same.');
  if (!oldText.isWellFormed()) return refused('old_string is not valid Unicode text.');
  if (!newText.isWellFormed()) return refused('new_string is not valid Unicode text.');
  const found = findRegions(content, oldText, newText);
  if (found === null) return refused(`old_string was not found. ${describeNearMiss(content, oldText)}`);
  if ('problem' in found) return refused(found.problem);
  const { regions, overlooked, overlapping } = found;
  const lines = linesAt(content, regions);
  const [first] = regions;
  if (first === undefined || (count !== 'all' && (regions.length !== count || (overlapping && count === 1)))) {
    return refused(wrongCount({ lines, overlooked, overlapping }, count));
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

type Found = {
  readonly lines: ReadonlyArray<number>;
  readonly overlooked: Overlooked | null;
  readonly overlapping: boolean;
};

function wrongCount({ lines, overlooked, overlapping }: Found, count: EditRequest['count']): string {
  const how = overlooked === null ? '' : `, not counting differences in ${overlooked},`;
  const where = `(${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, 10).join(', ')}${lines.length > 10 ? ', …' : ''})`;
  if (overlapping && lines.length === 1) {
    return `old_string occurs in places that overlap each other ${where}. Add lines around it to make it unique.`;
  }
  const times = lines.length === 1 ? 'once' : `${lines.length} times`;
  const wanted = count === 1 ? '' : ` ${count} were expected.`;
  return `old_string occurs ${times}${how} ${where}.${wanted} Add lines around it to make it unique, or say that all are meant (replace_all, expected_replacements).`;
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

/** One walk over the text, however many regions there are. */
function linesAt(content: string, regions: ReadonlyArray<Region>): ReadonlyArray<number> {
  const end = content.includes('\n') ? '\n' : '\r';
  let line = 1;
  let next = content.indexOf(end);
  return regions.map(({ from }) => {
    for (; next >= 0 && next < from; next = content.indexOf(end, next + 1)) line++;
    return line;
  });
}

function refused(reason: string): PlannedEdit {
  return { ok: false, reason };
}
