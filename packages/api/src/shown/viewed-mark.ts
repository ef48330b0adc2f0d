import type { FileDiff } from '@attractor/platform';

/** By what it is remembered that a file was looked at: another change of it has another mark. */
export function viewedMark(file: FileDiff): string {
  return `${fingerprint(file)} ${JSON.stringify(file.path)}`;
}

/** Short, and the same for the same change: no secret depends on it. */
function fingerprint(file: FileDiff): string {
  let sum = 5381;
  for (const character of JSON.stringify([file.status, file.contents, file.hunks]))
    sum = (sum * 33 + (character.codePointAt(0) ?? 0)) % 4_294_967_296;
  return sum.toString(36);
}
