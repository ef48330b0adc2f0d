/**
 * squash  the whole change becomes one commit on the base
 * merge   a merge commit keeps the commits of the branch
 * ff      the base moves to the branch's own last commit; refused if the branch is not on top of it
 */
export const MERGE_METHODS = ['squash', 'merge', 'ff'] as const;

export type MergeMethod = (typeof MERGE_METHODS)[number];

export function isMergeMethod(value: unknown): value is MergeMethod {
  return MERGE_METHODS.some((method) => method === value);
}
