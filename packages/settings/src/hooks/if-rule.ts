import { isRecord } from '@attractor/base';
import { createPolicy, parseRule } from '@attractor/policy';

import type { HookInput } from './definition.ts';

export type RulePlace = { readonly root: string; readonly home: string };

/** Whether the call of an input is one that the rule speaks of. An event without a call never is. */
export type IfRule = (input: HookInput) => Promise<boolean>;

export type IfRuleReading =
  | { readonly ok: true; readonly holds: IfRule }
  | { readonly ok: false; readonly message: string };

/**
 * The rule is asked as one that denies: it then speaks of a command when it speaks of any part of it. A command that can't be
 * understood counts as spoken of, so that nothing gets past a guard by being hard to read.
 */
export function readIfRule(text: string, { root, home }: RulePlace): IfRuleReading {
  const parsed = parseRule(text, 'deny', { scope: 'user', file: null, line: null, root });
  if (!parsed.ok) return { ok: false, message: parsed.error.message };
  const policy = createPolicy({ rules: [parsed.rule], mode: 'bypassPermissions', root, home, sandboxed: true });
  return {
    ok: true,
    holds: async ({ tool_name: toolName, tool_input: args }) => {
      if (typeof toolName !== 'string' || !isRecord(args)) return false;
      return (await policy.judge({ toolName, args })).decision !== 'allow';
    },
  };
}
