import { isRecord } from '@attractor/base';
import type { LivePolicy } from './live-policy.ts';
import { parseRule } from './parse-rule.ts';
import { type RuleFiles, rememberRules } from './remember.ts';
import type { PermissionMode, RuleDestination } from './types.ts';

/** What a change of permissions acts on. */
export type Changeable = {
  readonly policy: LivePolicy | undefined;
  readonly files: RuleFiles | undefined;
  /** What a path that begins with one slash is relative to in a rule of this session. */
  readonly root: string;
};

type Update = Readonly<Record<string, unknown>>;

const DESTINATIONS: ReadonlySet<unknown> = new Set(['session', 'localSettings', 'projectSettings', 'userSettings']);
const MODES: ReadonlySet<unknown> = new Set(['default', 'acceptEdits', 'plan', 'dontAsk']);

function isDestination(value: unknown): value is RuleDestination {
  return DESTINATIONS.has(value);
}

/** An answer to one call can't switch off asking altogether. */
function isMode(value: unknown): value is PermissionMode {
  return MODES.has(value);
}

/**
 * Makes one change in the published shape, as a hook or a program gives it with its answer about a call. Null: it was made. Otherwise why not:
 * whoever gave a limit relies on it.
 */
export async function updatePermissions(changed: Changeable, update: unknown): Promise<string | null> {
  const { type, mode, rules, behavior }: Update = isRecord(update) ? update : {};
  if (!isRecord(update) || changed.policy === undefined) return 'there is nothing to change';
  if (type === 'setMode') {
    if (!isMode(mode)) return `the mode ${JSON.stringify(mode)} can't be set by an answer`;
    changed.policy.setMode(mode);
    return null;
  }
  if (type !== 'addRules' && type !== 'replaceRules')
    return UNDONE[String(type)] ?? `${JSON.stringify(type)} is unknown`;
  if (!Array.isArray(rules)) return `"rules" of ${type} must be a list`;
  const texts = rules.map(ruleText);
  if (behavior === 'deny' || behavior === 'ask') return limit(changed, update, texts);
  if (behavior !== 'allow') return '"behavior" must be allow, ask or deny';
  return type === 'addRules' ? allow(changed, update, texts) : 'replaceRules would take rules back: use addRules';
}

const UNDONE: Readonly<Record<string, string>> = {
  removeRules: 'removeRules would take rules back: change the file that they stand in',
  addDirectories: 'addDirectories is not done: folders are chosen when the session starts',
  removeDirectories: 'removeDirectories is not done: folders are chosen when the session starts',
};

async function allow(
  { policy, ...place }: Changeable,
  { destination }: Update,
  rules: ReadonlyArray<string>,
): Promise<string | null> {
  const kept = await rememberRules({
    rules,
    destination: isDestination(destination) ? destination : 'session',
    ...place,
  });
  if (!kept.ok) return kept.error.message;
  policy?.addRules(kept.rules);
  return null;
}

/** Limits hold at once, for this session. Those that were there stay: only a person takes them back, in their file. */
function limit(
  { policy, root }: Changeable,
  { destination, behavior }: Update,
  texts: ReadonlyArray<string>,
): string | null {
  for (const text of texts) {
    const origin = { scope: 'session', file: null, line: null, root } as const;
    const parsed = parseRule(text, behavior === 'deny' ? 'deny' : 'ask', origin);
    if (!parsed.ok) return parsed.error.message;
    policy?.addRules([parsed.rule]);
  }
  if (!isDestination(destination) || destination === 'session') return null;
  return `${texts.join(', ')} holds for this session, and was not written to ${destination}: only allow rules are`;
}

function ruleText(rule: unknown): string {
  if (!isRecord(rule)) return String(rule);
  const { toolName, ruleContent } = rule;
  return typeof ruleContent === 'string' && ruleContent !== ''
    ? `${String(toolName)}(${ruleContent})`
    : String(toolName);
}
