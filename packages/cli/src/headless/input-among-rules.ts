import { ownNameOf, TOOL_NAMES } from '@attractor/tool-table';

export type RuleLists = {
  readonly allowedTools: ReadonlyArray<string>;
  readonly disallowedTools: ReadonlyArray<string>;
};

/**
 * `-p --allowed-tools Read "what is this?"`: a list of rules takes every word behind it, the prompt too. A last word that names no tool is
 * the prompt.
 */
export function inputAmongRules<Flags extends RuleLists>(
  prompt: string | undefined,
  flags: Flags,
): { readonly prompt: string | undefined; readonly flags: Flags } {
  if (prompt !== undefined) return { prompt, flags };
  for (const list of ['allowedTools', 'disallowedTools'] as const) {
    const last = flags[list].at(-1);
    if (last === undefined || flags[list].length < 2 || namesTool(last)) continue;
    return { prompt: last, flags: { ...flags, [list]: flags[list].slice(0, -1) } };
  }
  return { prompt, flags };
}

function namesTool(text: string): boolean {
  return text.split(/[\s,]+/).some((word) => {
    const name = word.replace(/[(:].*$/s, '');
    return /^(?:mcp__|\*)/.test(name) || TOOL_NAMES.some((own) => own === ownNameOf(name)) || word.includes('(');
  });
}
