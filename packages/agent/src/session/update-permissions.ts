import { isRecord } from '@attractor/base';
import { parseRule, type PermissionMode, rememberRules, type RuleDestination } from '@attractor/policy';
import type { PutEvent } from './judge-call.ts';
import type { Run } from './run.ts';

/**
 * Makes the changes of permissions that a hook, or a program that answers in a person's place, gives with its answer, in the published shape
 * and order. What is not made is told: whoever gave a limit relies on it.
 */
export async function updatePermissions(run: Run, put: PutEvent, updates: ReadonlyArray<unknown>): Promise<void> {
  for (const update of updates) {
    const problem = isRecord(update) ? await applyUpdate(run, update) : 'it is no object';
    if (problem !== null) await put({ kind: 'WARNING', message: `A change of permissions was not made: ${problem}` });
  }
}

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

/** Why a change of permissions can't be made; null if it was made. */
async function applyUpdate(run: Run, update: Update): Promise<string | null> {
  const { type, mode, rules, behavior } = update;
  if (run.policy === undefined) return 'there is no policy to change';
  if (type === 'setMode') {
    if (!isMode(mode)) return `the mode ${JSON.stringify(mode)} can't be set by an answer`;
    run.policy.setMode(mode);
    return null;
  }
  if (type !== 'addRules' && type !== 'replaceRules')
    return UNDONE[String(type)] ?? `${JSON.stringify(type)} is unknown`;
  if (!Array.isArray(rules)) return `"rules" of ${type} must be a list`;
  const texts = rules.map(ruleText);
  if (behavior === 'deny' || behavior === 'ask') return limit(run, update, texts);
  if (behavior !== 'allow') return '"behavior" must be allow, ask or deny';
  return type === 'addRules' ? allow(run, update, texts) : 'replaceRules would take rules back: use addRules';
}

const UNDONE: Readonly<Record<string, string>> = {
  removeRules: 'removeRules would take rules back: change the file that they stand in',
  addDirectories: 'addDirectories is not done: folders are chosen when the session starts',
  removeDirectories: 'removeDirectories is not done: folders are chosen when the session starts',
};

async function allow(run: Run, { destination }: Update, rules: ReadonlyArray<string>): Promise<string | null> {
  const root = run.environment.workingDirectory();
  const to = isDestination(destination) ? destination : 'session';
  const kept = await rememberRules({ rules, destination: to, files: run.ruleFiles, root });
  if (!kept.ok) return kept.error.message;
  run.policy?.addRules(kept.rules);
  return null;
}

/** Limits hold at once, for this session. Those that were there stay: only a person takes them back, in their file. */
function limit(run: Run, { destination, behavior }: Update, texts: ReadonlyArray<string>): string | null {
  const origin = { scope: 'session', file: null, line: null, root: run.environment.workingDirectory() } as const;
  for (const text of texts) {
    const parsed = parseRule(text, behavior === 'deny' ? 'deny' : 'ask', origin);
    if (!parsed.ok) return parsed.error.message;
    run.policy?.addRules([parsed.rule]);
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
