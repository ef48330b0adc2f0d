import type { CompiledRule } from './compile-rule.ts';
import type { Decision, Judgement, PermissionMode, PermissionRule } from './types.ts';

/**
 * One thing that a call would do: a part of a command, a file, a host. A call is allowed only if each of its units is.
 * `forced` is a decision that no allow rule can change.
 */
export type Unit = {
  readonly part: string;
  readonly nature: Nature;
  /** Why it has that nature, for a person: "writes to a file outside the workspace". */
  readonly because: string;
  readonly speaksOf: (rule: CompiledRule) => boolean;
  readonly forced?: Forced;
  /** Why it may run although no rule says so; every rule and everything forced counts before. */
  readonly permitted?: string;
  /** Why it would fail whoever allowed it: then nobody is asked. */
  readonly hopeless?: string;
  /** The smallest rule that would allow it, worked out once somebody is asked; null or absent: none can be written. */
  readonly suggestion?: () => string | null;
};

export type Forced = { readonly decision: 'ask' | 'deny'; readonly reason: string };

export type Nature = keyof typeof DEFAULTS;

/** What each mode decides if no rule covers a unit. In `dontAsk` every `ask` becomes `deny` at the end. */
const DEFAULTS = {
  read: { default: 'allow', acceptEdits: 'allow', plan: 'allow', dontAsk: 'allow', bypassPermissions: 'allow' },
  outsideRead: { default: 'ask', acceptEdits: 'ask', plan: 'ask', dontAsk: 'ask', bypassPermissions: 'allow' },
  secretRead: { default: 'ask', acceptEdits: 'ask', plan: 'ask', dontAsk: 'ask', bypassPermissions: 'allow' },
  edit: { default: 'ask', acceptEdits: 'allow', plan: 'deny', dontAsk: 'ask', bypassPermissions: 'allow' },
  outsideEdit: { default: 'ask', acceptEdits: 'ask', plan: 'deny', dontAsk: 'ask', bypassPermissions: 'allow' },
  command: { default: 'ask', acceptEdits: 'ask', plan: 'deny', dontAsk: 'ask', bypassPermissions: 'allow' },
  network: { default: 'ask', acceptEdits: 'ask', plan: 'ask', dontAsk: 'ask', bypassPermissions: 'allow' },
  claimedRead: { default: 'ask', acceptEdits: 'ask', plan: 'ask', dontAsk: 'ask', bypassPermissions: 'allow' },
  change: { default: 'ask', acceptEdits: 'ask', plan: 'deny', dontAsk: 'ask', bypassPermissions: 'allow' },
} as const satisfies Readonly<Record<string, Readonly<Record<PermissionMode, Decision>>>>;

/** Deny, then ask, then allow, then the mode. In `plan` no rule lets anything change. */
export function judgeUnit(unit: Unit, rules: ReadonlyArray<CompiledRule>, mode: PermissionMode): Judgement {
  const judgement = judgeByRules(unit, rules, mode);
  if (judgement.decision !== 'ask' || unit.hopeless === undefined) return judgement;
  return { decision: 'deny', reason: unit.hopeless, part: unit.part };
}

function judgeByRules(unit: Unit, rules: ReadonlyArray<CompiledRule>, mode: PermissionMode): Judgement {
  const { part, nature, because, forced } = unit;
  const found = (behavior: Decision): PermissionRule | undefined =>
    rules.find(({ rule, ...rest }) => rule.behavior === behavior && unit.speaksOf({ rule, ...rest }))?.rule;
  const denied = found('deny');
  if (denied !== undefined)
    return { decision: 'deny', reason: `denied by ${describeRule(denied)}`, part, rule: denied };
  if (forced?.decision === 'deny') return { decision: 'deny', reason: forced.reason, part };
  const otherwise: Decision = DEFAULTS[nature][mode];
  if (otherwise === 'deny')
    return { decision: 'deny', reason: `${because}, and the mode ${mode} changes nothing`, part };
  const asked = found('ask');
  if (asked !== undefined) return { decision: 'ask', reason: `${describeRule(asked)} asks`, part, rule: asked };
  if (forced !== undefined) return { decision: 'ask', reason: forced.reason, part };
  if (unit.permitted !== undefined) return { decision: 'allow', reason: unit.permitted, part };
  const allowed = found('allow');
  if (allowed !== undefined)
    return { decision: 'allow', reason: `allowed by ${describeRule(allowed)}`, part, rule: allowed };
  if (otherwise === 'allow') return { decision: 'allow', reason: because, part };
  const suggestion = unit.suggestion?.() ?? null;
  return {
    decision: 'ask',
    reason: because,
    part,
    ...(nature === 'secretRead' ? { isSecret: true } : {}),
    ...(suggestion === null ? {} : { suggestion, needs: [suggestion] }),
  };
}

const STRENGTH: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

function isStricter(one: Decision, other: Decision): boolean {
  return STRENGTH[one] > STRENGTH[other];
}

/** The strictest decides. A call that asks can be allowed permanently only if a rule can be written for each part that asks. */
export function strictest(judgements: ReadonlyArray<Judgement>): Judgement {
  const [first, ...rest] = judgements;
  if (first === undefined) return { decision: 'allow', reason: 'it touches nothing' };
  const worst = rest.reduce((one, other) => (isStricter(other.decision, one.decision) ? other : one), first);
  if (worst.decision !== 'ask') return worst;
  const asking = judgements.filter(({ decision }) => decision === 'ask');
  const { needs: _own, ...plain } = worst;
  const needs = asking.every((one) => one.needs !== undefined)
    ? [...new Set(asking.flatMap((one) => one.needs ?? []))]
    : [];
  return needs.length === 0 ? plain : { ...plain, needs };
}

/** `the deny rule Bash(rm *) of ~/.claude/settings.json:12`. */
function describeRule({ behavior, text, origin }: PermissionRule): string {
  const at = origin.file === null ? origin.scope : `${origin.file}${origin.line === null ? '' : `:${origin.line}`}`;
  return `the ${behavior} rule ${text} of ${at}`;
}
