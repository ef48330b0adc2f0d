import { parseRule } from './parse-rule.ts';
import type { Decision, PermissionRule, RuleOrigin } from './types.ts';

export type WrittenPermission = { readonly text: string; readonly behavior: Decision; readonly origin: RuleOrigin };

/**
 * The rules of all scopes, in any order: a deny wins wherever it was written. While `problems` is not empty no agent may start, since what
 * can't be parsed is a limit. A rule that allows and can't be parsed allows nothing: `unused` tells of it.
 */
export function readRules(written: ReadonlyArray<WrittenPermission>): {
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly problems: ReadonlyArray<string>;
  readonly unused: ReadonlyArray<string>;
} {
  const parsed = written.map((rule) => ({ ...rule, result: parseRule(rule.text, rule.behavior, rule.origin) }));
  const wrong = parsed.flatMap(({ behavior, origin, result }) =>
    result.ok ? [] : [{ isLimit: behavior !== 'allow', line: `${placeOf(origin)}: ${result.error.message}` }],
  );
  return {
    rules: parsed.flatMap(({ result }) => (result.ok ? [result.rule] : [])),
    problems: wrong.flatMap(({ isLimit, line }) => (isLimit ? [line] : [])),
    unused: wrong.flatMap(({ isLimit, line }) => (isLimit ? [] : [`${line} It allows nothing.`])),
  };
}

function placeOf({ scope, file, line }: RuleOrigin): string {
  if (file === null) return scope;
  return line === null ? file : `${file}:${line}`;
}
