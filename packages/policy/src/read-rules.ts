import { parseRule } from './parse-rule.ts';
import type { Decision, PermissionRule, RuleOrigin } from './types.ts';

export type WrittenPermission = { readonly text: string; readonly behavior: Decision; readonly origin: RuleOrigin };

/**
 * The rules of all scopes, in any order: a deny wins wherever it was written. While `problems` is not empty no agent may start, since what
 * can't be parsed may have been a limit.
 */
export function readRules(written: ReadonlyArray<WrittenPermission>): {
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly problems: ReadonlyArray<string>;
} {
  const parsed = written.map(({ text, behavior, origin }) => ({ origin, result: parseRule(text, behavior, origin) }));
  return {
    rules: parsed.flatMap(({ result }) => (result.ok ? [result.rule] : [])),
    problems: parsed.flatMap(({ origin, result }) =>
      result.ok ? [] : [`${placeOf(origin)}: ${result.error.message}`],
    ),
  };
}

function placeOf({ scope, file, line }: RuleOrigin): string {
  if (file === null) return scope;
  return line === null ? file : `${file}:${line}`;
}
