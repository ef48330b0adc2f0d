/**
 * Why a name may not be used as the name of a branch or tag, or null. Git's own rules, and two more: it can't be mistaken for an option,
 * and it contains only printable ASCII, so that people see what it is.
 */
export function refNameProblem(name: string): string | null {
  return RULES.find(([broken]) => broken.test(name))?.[1] ?? null;
}

const RULES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^$/, 'is empty'],
  [/^-/, 'begins with "-" and would be taken for an option'],
  [/[^\u0021-\u007e]/, 'holds a blank, a control character or a letter outside ASCII'],
  [/[~^:?*[\\]/, 'holds one of ~ ^ : ? * [ \\'],
  [/\.\.|@\{|\/\/|\/\.|^[./]|[./]$|^@$|\.lock(?:\/|$)/, 'is not a name that git takes'],
];
