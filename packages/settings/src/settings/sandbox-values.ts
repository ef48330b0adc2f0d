import { parseHostRule } from '@attractor/confine';

export function folderProblem(value: unknown): string | null {
  const folder = folderText(value);
  if (folder !== '' && !/[*?[{]/.test(folder)) return null;
  return `a sandbox can't hold back by the pattern "${String(value)}": name a file or a folder`;
}

/** `x/**` means the folder itself. */
export function folderText(value: unknown): string {
  return String(value).replace(/\/\*\*?$/, '');
}

export function domainProblem(value: unknown): string | null {
  if (parseHostRule(String(value)) !== null) return null;
  return `"${String(value)}" is not a domain: expected a name such as example.com, *.example.com or example.com:8443`;
}
