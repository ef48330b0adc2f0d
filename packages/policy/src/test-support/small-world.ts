import type { Decision, PermissionMode } from '../types.ts';

/**
 * A world small enough to judge by hand: a few calls, a few rules, and tables that say which rule covers what. It shares nothing with the
 * policy but the names, so that the two can be compared.
 */
export type SmallCall = { readonly toolName: 'write_file' | 'shell'; readonly args: Readonly<Record<string, string>> };

type Deed = 'edit a' | 'edit b' | 'edit hooks' | 'npm test' | 'touch a' | 'ls' | 'into b' | 'destroy';

const writing = (file: string): SmallCall => ({ toolName: 'write_file', args: { file_path: file, content: 'x' } });
const running = (command: string): SmallCall => ({ toolName: 'shell', args: { command } });

export const CALLS: ReadonlyArray<SmallCall> = [
  writing('a.txt'),
  writing('b.txt'),
  writing('.git/hooks/x'),
  running('npm test'),
  running('touch a.txt'),
  running('ls'),
  running('npm test && touch a.txt'),
  running('npm test > b.txt'),
  running('ls; rm -rf /'),
];

const DEEDS: ReadonlyArray<ReadonlyArray<Deed>> = [
  ['edit a'],
  ['edit b'],
  ['edit hooks'],
  ['npm test'],
  ['touch a'],
  ['ls'],
  ['npm test', 'touch a'],
  ['npm test', 'into b'],
  ['ls', 'destroy'],
];

/** By rule: what an allow rule covers, and what a deny or ask rule stops. */
export const RULES: Readonly<
  Record<string, { readonly allow: ReadonlyArray<Deed>; readonly stop: ReadonlyArray<Deed> }>
> = {
  Edit: { allow: ['edit a', 'edit b', 'into b'], stop: ['edit a', 'edit b', 'edit hooks', 'into b', 'touch a'] },
  'Edit(/a.txt)': { allow: ['edit a'], stop: ['edit a', 'touch a'] },
  'Edit(/b.txt)': { allow: ['edit b', 'into b'], stop: ['edit b', 'into b'] },
  'Edit(b.*)': { allow: ['edit b', 'into b'], stop: ['edit b', 'into b'] },
  Bash: { allow: ['npm test', 'touch a', 'ls', 'into b'], stop: ['npm test', 'touch a', 'ls', 'destroy'] },
  'Bash(npm test)': { allow: ['npm test'], stop: ['npm test'] },
  'Bash(touch *)': { allow: ['touch a'], stop: ['touch a'] },
  'Bash(touch a.txt)': { allow: ['touch a'], stop: ['touch a'] },
  'Bash(ls:*)': { allow: ['ls'], stop: ['ls'] },
};

export type SmallRule = { readonly behavior: Decision; readonly text: string; readonly forSession: boolean };
export type SmallState = { readonly mode: PermissionMode; readonly rules: ReadonlyArray<SmallRule> };

export function judgeByHand(call: Pick<SmallCall, 'toolName' | 'args'>, state: SmallState): Decision {
  const index = CALLS.findIndex(
    (one) => JSON.stringify([one.toolName, one.args]) === JSON.stringify([call.toolName, call.args]),
  );
  const decisions = (DEEDS[index] ?? []).map((deed) => judgeDeed(deed, state));
  if (decisions.length === 0) throw new Error('no such call in this world');
  const strictest = decisions.includes('deny') ? 'deny' : decisions.includes('ask') ? 'ask' : 'allow';
  return strictest === 'ask' && state.mode === 'dontAsk' ? 'deny' : strictest;
}

function judgeDeed(deed: Deed, { mode, rules }: SmallState): Decision {
  const has = (behavior: Decision): boolean =>
    rules.some(
      (rule) =>
        rule.behavior === behavior &&
        RULES[rule.text]?.[behavior === 'allow' ? 'allow' : 'stop'].includes(deed) === true,
    );
  if (has('deny') || deed === 'destroy' || deed === 'edit hooks') return 'deny';
  if (mode === 'plan' && deed !== 'ls') return 'deny';
  if (has('ask')) return 'ask';
  if (has('allow') || deed === 'ls' || mode === 'bypassPermissions') return 'allow';
  const edits = deed === 'edit a' || deed === 'edit b' || deed === 'into b' || deed === 'touch a';
  return mode === 'acceptEdits' && edits ? 'allow' : 'ask';
}
