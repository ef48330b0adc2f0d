import { existsSync } from 'node:fs';
import { ownNameOf, TOOL_NAMES } from '@attractor/tool-table';

export type RuleLists = {
  readonly allowedTools: ReadonlyArray<string>;
  readonly disallowedTools: ReadonlyArray<string>;
  readonly addDir: ReadonlyArray<string>;
};

/**
 * `-p --allowed-tools Read "what is this?"`: a list takes every word behind it, the prompt too. A last word that names no tool, or no folder,
 * is the prompt.
 */
export function inputAmongRules<Flags extends RuleLists>(
  prompt: string | undefined,
  flags: Flags,
): { readonly prompt: string | undefined; readonly flags: Flags } {
  if (prompt !== undefined) return { prompt, flags };
  for (const [list, isMeant] of LISTS) {
    const last = flags[list].at(-1);
    if (last === undefined || flags[list].length < 2 || isMeant(last)) continue;
    return { prompt: last, flags: { ...flags, [list]: flags[list].slice(0, -1) } };
  }
  return { prompt, flags };
}

const LISTS: ReadonlyArray<readonly [list: keyof RuleLists, isMeant: (word: string) => boolean]> = [
  ['allowedTools', namesTool],
  ['disallowedTools', namesTool],
  ['addDir', (word) => existsSync(word)],
];

function namesTool(text: string): boolean {
  return text.split(/[\s,]+/).some((word) => {
    const name = word.replace(/[(:].*$/s, '');
    return /^(?:mcp__|\*)/.test(name) || TOOL_NAMES.some((own) => own === ownNameOf(name)) || word.includes('(');
  });
}
