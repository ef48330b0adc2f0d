import { isRecord } from '@attractor/base';
import { createPolicy, parseRule } from '@attractor/policy';

import type { HookInput } from './definition.ts';

export type RulePlace = { readonly root: string; readonly home: string };

/** Whether the rule covers the call of an input. An event without a call is never covered. */
export type IfRule = (input: HookInput) => Promise<boolean>;

export type IfRuleReading =
  | { readonly ok: true; readonly holds: IfRule }
  | { readonly ok: false; readonly message: string };

/**
 * The rule is evaluated like a deny rule: it covers a command if it covers any part of it. A command that can't be parsed counts as
 * covered, so that nothing evades a guard by being hard to read.
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
