import vm from 'node:vm';
import { messageOf } from '@attractor/base';
import { familyNameOf, ownNameOf, namesOfTool, rowOf, TOOL_NAMES } from '@attractor/tool-table';

/** Which values of its event's field a group of handlers is for. */
export type Matcher = (values: ReadonlyArray<string>) => boolean;

export type MatcherReading =
  | { readonly ok: true; readonly matches: Matcher }
  | { readonly ok: false; readonly message: string };

const EXACT = /^[\w\s,|-]*$/;
/** Names are short: an expression that needs longer for one would hold up every call. */
const MATCH_TIMEOUT_MS = 50;

/** Empty or `*`: all. Letters, digits, `_`, `-`, blanks, `,` and `|` only: a list of names. Else: an expression that may match anywhere. */
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
    return { ok: false, message: `the matcher ${JSON.stringify(matcher)} is no regular expression (${why})` };
  }
}

/** One that takes too long counts as matching: a hook that guards something must not be passed by with a long name. */
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

/** The name that hooks know a tool by: Claude Code's, whatever the model's family calls it. */
export function hookToolName(toolName: string): string {
  return familyNameOf(ownNameOf(toolName), 'anthropic');
}

/** All names under which a matcher may speak of a tool. */
export function namesForMatcher(toolName: string): ReadonlyArray<string> {
  const house = ownNameOf(toolName);
  const known = TOOL_NAMES.find((name) => name === house);
  const names = known === undefined ? [house] : namesOfTool(known);
  return [...new Set([...names, toolName, ...(rowOf(house)?.hookedAs ?? [])])];
}
