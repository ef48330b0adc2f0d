import vm from 'node:vm';
import { messageOf } from '@attractor/base';
import { familyNameOf, ownNameOf, namesOfTool, rowOf, TOOL_NAMES } from '@attractor/tool-table';

/** Which values of its event's field a group of handlers applies to. */
export type Matcher = (values: ReadonlyArray<string>) => boolean;

export type MatcherReading =
  | { readonly ok: true; readonly matches: Matcher }
  | { readonly ok: false; readonly message: string };

const EXACT = /^[\w\s,|-]*$/;
/** Names are short: only an expression without end takes this long, however busy the machine is. */
const MATCH_TIMEOUT_MS = 1_000;

/**
 * Empty or `*`: all. Only letters, digits, `_`, `-`, blanks, `,` and `|`: a list of names. Otherwise: an expression that may match
 * anywhere.
 */
export function readMatcher(text: string | undefined): MatcherReading {
  const matcher = text?.trim() ?? '';
  if (matcher === '' || matcher === '*') return { ok: true, matches: () => true };
  if (EXACT.test(matcher)) {
    const names = new Set(matcher.split(/[,|]/).map((name) => name.trim()));
    return { ok: true, matches: (values) => values.some((value) => names.has(value)) };
  }
  try {
    return { ok: true, matches: bounded(new RegExp(matcher)) };
  } catch (error) {
    const why = messageOf(error);
    return { ok: false, message: `the matcher ${JSON.stringify(matcher)} is not a regular expression (${why})` };
  }
}

/** A timeout counts as a match: a long name must not evade a hook that guards something. */
function bounded(expression: RegExp): Matcher {
  const place = { expression, value: '' };
  let context: vm.Context | undefined;
  return (values) =>
    values.some((value) => {
      place.value = value;
      context ??= vm.createContext(place);
      try {
        return vm.runInContext('expression.test(value)', context, { timeout: MATCH_TIMEOUT_MS }) === true;
      } catch {
        return true;
      }
    });
}

/** A tool's name for hooks: Claude Code's, whatever the model's family calls it. */
export function hookToolName(toolName: string): string {
  return familyNameOf(ownNameOf(toolName), 'anthropic');
}

/** All names that a matcher may use for a tool. */
export function namesForMatcher(toolName: string): ReadonlyArray<string> {
  const house = ownNameOf(toolName);
  const known = TOOL_NAMES.find((name) => name === house);
  const names = known === undefined ? [house] : namesOfTool(known);
  return [...new Set([...names, toolName, ...(rowOf(house)?.hookedAs ?? [])])];
}
