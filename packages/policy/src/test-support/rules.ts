import { createPolicy, type Policy, type PolicyOptions } from '../policy.ts';
import { parseRule } from '../parse-rule.ts';
import type { Decision, PermissionRule, RuleScope } from '../types.ts';

export type Lists = Readonly<Partial<Record<Decision, ReadonlyArray<string>>>>;

type RulePlace = { readonly root: string; readonly scope?: RuleScope };

function rulesOf(lists: Lists, { root, scope = 'user' }: RulePlace): ReadonlyArray<PermissionRule> {
  return (['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
    (lists[behavior] ?? []).map((text, index) => {
      const parsed = parseRule(text, behavior, { scope, file: `/settings/${behavior}.json`, line: index + 1, root });
      if (!parsed.ok) throw new Error(parsed.error.message);
      return parsed.rule;
    }),
  );
}

export function policyOf(lists: Lists, options: Partial<PolicyOptions> & { readonly root: string }): Policy {
  return createPolicy({
    home: '/home/me',
    mode: 'default',
    sandboxed: true,
    ...options,
    rules: rulesOf(lists, { root: options.root }),
  });
}
