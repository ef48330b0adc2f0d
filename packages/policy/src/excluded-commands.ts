import type { ShellPart } from '@attractor/shell';
import type { Variables } from '@attractor/system';
import type { ShellPlaces } from './shell-port.ts';

/** Whether a person had this command taken out of the sandbox. */
export type IsExcluded = (command: string, cwd: string) => Promise<boolean>;

export type ExclusionPlaces = Omit<ShellPlaces, 'cwd' | 'searchPath'> & { readonly variables: () => Variables };

/**
 * `docker *`: commands whose every part is one of these programs, or only reads beside one. What can't be parsed stays in the sandbox, and
 * so does whatever else stands in the same line.
 */
export function excludedCommands(patterns: ReadonlyArray<string>, places: ExclusionPlaces): IsExcluded {
  const contents = patterns.map(programPattern).filter((content) => content !== null);
  if (contents.length === 0) return async () => false;
  return async (command, cwd) => {
    const { SHELL } = await import('./load-shell.ts');
    const { variables, ...at } = places;
    const { parts, problem } = SHELL.read(command, { ...at, cwd, searchPath: variables()['PATH'] ?? '' });
    const isNamed = ({ via: _via, ...part }: ShellPart): boolean =>
      contents.some((content) => SHELL.matches(content, part, 'allow'));
    if (problem !== null || !parts.some(isNamed)) return false;
    return parts.every((part) => isNamed(part) || part.effect === 'read');
  };
}

/** The pattern of a rule, with or without `Bash(…)`; null if it does not say which program: everything would be excluded. */
export function programPattern(text: string): string | null {
  const [, inner = text] = /^Bash\((.*)\)$/s.exec(text.trim()) ?? [];
  return /^[\w./+-]+(?=[\s:]|$)/.test(inner.trim()) ? inner.trim() : null;
}
