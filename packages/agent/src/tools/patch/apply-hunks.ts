import { joinFile, splitFile, type FileLine, type FileText } from './file-lines.ts';
import { locate, locateFirst } from './locate.ts';
import type { Hunk } from './parse.ts';

export type Applied = { readonly ok: true; readonly content: string } | { readonly ok: false; readonly reason: string };

/** Pure: the content after all hunks, in the order of the file, or why one does not fit. Bytes outside the hunks stay as they are. */
export function applyHunks(content: string, hunks: ReadonlyArray<Hunk>): Applied {
  const file = splitFile(content);
  const texts = file.lines.map((line) => line.text);
  const result: FileLine[] = [];
  let cursor = 0;
  for (const [index, hunk] of hunks.entries()) {
    const found = placeOf(hunk, texts, cursor);
    if (!found.ok) return { ok: false, reason: `hunk ${index + 1} of ${hunks.length} ${found.reason}` };
    result.push(...file.lines.slice(cursor, found.at), ...changed(hunk, file, found.at));
    cursor = found.at + oldLines(hunk).length;
  }
  return { ok: true, content: joinFile(file, [...result, ...file.lines.slice(cursor)]) };
}

type Found = { readonly ok: true; readonly at: number } | { readonly ok: false; readonly reason: string };

function placeOf(hunk: Hunk, lines: ReadonlyArray<string>, cursor: number): Found {
  const start = afterHeaders(hunk, lines, cursor);
  if (!start.ok) return start;
  const wanted = oldLines(hunk);
  if (wanted.length === 0)
    return { ok: true, at: hunk.contextHeader === null || hunk.atEndOfFile ? lines.length : start.at };
  const from = hunk.atEndOfFile ? Math.max(start.at, lines.length - wanted.length) : start.at;
  const search = { lines, from, wanted };
  const place = hunk.contextHeader === null ? locate(search) : locateFirst(search);
  if (place.ok) return place;
  return { ok: false, reason: place.found === 0 ? notFound(wanted, lines) : ambiguous(place.found) };
}

/** Each @@ header names a line; the hunk stands after the innermost of them. */
function afterHeaders(hunk: Hunk, lines: ReadonlyArray<string>, cursor: number): Found {
  let at = cursor;
  const headers = [...hunk.outerHeaders, ...(hunk.contextHeader === null ? [] : [hunk.contextHeader])];
  for (const header of headers) {
    const place = locateFirst({ lines, from: at, wanted: [header] });
    if (!place.ok) return { ok: false, reason: `names a line that does not follow: @@ ${header}` };
    at = place.at + 1;
  }
  return { ok: true, at };
}

function oldLines(hunk: Hunk): ReadonlyArray<string> {
  return hunk.lines.filter((line) => line.kind !== 'add').map((line) => line.text);
}

/** Context keeps the file's own line, even where the patch spelled it a little differently. */
function changed(hunk: Hunk, file: FileText, at: number): ReadonlyArray<FileLine> {
  let next = at;
  return hunk.lines.flatMap(({ kind, text }): ReadonlyArray<FileLine> => {
    if (kind === 'add') return [{ text, end: file.newLine }];
    const own = file.lines[next++];
    return kind === 'remove' || own === undefined ? [] : [own];
  });
}

function notFound(wanted: ReadonlyArray<string>, lines: ReadonlyArray<string>): string {
  const first = wanted.find((line) => line.trim() !== '')?.trim() ?? '';
  const near = lines.findIndex((line) => line.trim() === first);
  const hint =
    near < 0
      ? ''
      : ` Its first line stands at line ${near + 1}, but what follows differs, or hunks are not in the order of the file.`;
  return `was not found:\n${wanted.slice(0, 8).join('\n')}\nRead the file again and copy the lines exactly.${hint}`;
}

function ambiguous(count: number): string {
  return `fits ${count} places: add lines of context, or an @@ line that names the function or class.`;
}
