import { checkNewName, checkUnprotected, resolveInside } from '@attractor/confine';
import { EnvironmentError } from '../types/index.ts';

/**
 * Why the containment of file tools refuses a path below a root, as they would say it; null if it does not. That a file is missing, or is a
 * folder, is no refusal.
 */
export function whyContained(root: string, file: string, access: 'read' | 'write' | 'remove'): string | null {
  try {
    const { relative, rest, stats } = resolveInside(root, file, { last: access === 'remove' ? 'link' : 'target' });
    if (access === 'read') return null;
    checkUnprotected(relative);
    if (stats === null && access === 'write') rest.forEach(checkNewName);
    return null;
  } catch (error) {
    return error instanceof EnvironmentError ? (REASONS[error.code]?.(error, root) ?? null) : null;
  }
}

type Reason = (error: EnvironmentError, root: string) => string;

const REASONS: Readonly<Partial<Record<string, Reason>>> = {
  outside: (_error, root) =>
    `it leads outside ${root}, and file tools work only there; add a folder with --add-dir or "permissions.additionalDirectories"`,
  protected: ({ message }) => sentence(message),
  invalid_path: ({ message }) => sentence(message),
};

/** Part of a longer sentence. */
function sentence(message: string): string {
  return message.replace(/\.$/, '');
}
