import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Script, ScriptStep } from '@attractor/adapters';
import type { ScriptInput } from '@attractor/simulator';
import { expect } from 'vitest';
import { makeFolder } from './attractor.ts';

/** What one run of an agent does: defined once, played by the scripted agent or by a model on the wire. */
export type Beat = {
  readonly name: string;
  readonly mode: 'plan' | 'implement' | 'review';
  /** Only a run whose prompt contains this text matches: an agent that was not told it does something else. */
  readonly sees?: string;
  readonly changes?: ReadonlyArray<Change>;
  /** A command that a person is asked about; for a model only. */
  readonly asks?: string;
  readonly says: string;
  readonly outcome: string;
  readonly payload?: unknown;
  /** After checks that failed. */
  readonly repair?: { readonly changes: ReadonlyArray<Change>; readonly sees: string };
};

type Change =
  | { readonly path: string; readonly old: string; readonly new: string }
  | { readonly path: string; readonly content: string };

const MULTIPLY: Change = { path: 'sum.sh', old: '$1 - $2', new: '$1 * $2' };
const ADD: Change = { path: 'sum.sh', old: '$1 * $2', new: '$1 + $2' };
const NOTE: Change = { path: 'notes.md', content: 'sum adds\n' };

export const PLAN_TEXT = '1. Change the minus in sum.sh to a plus.';
export const COMMENT = 'Say in notes.md what changed';
const CHECK_WORDS = '2 and 3 gave 6';

/** Later beats come first: the first one whose text is in the prompt is played. */
export const FEATURE_BEATS: ReadonlyArray<Beat> = [
  { name: 'plan', mode: 'plan', says: PLAN_TEXT, outcome: 'plan_complete' },
  { name: 'rework', mode: 'implement', sees: COMMENT, changes: [NOTE], says: 'Noted.', outcome: 'pr_ready' },
  {
    name: 'implement',
    mode: 'implement',
    sees: PLAN_TEXT,
    changes: [MULTIPLY],
    says: 'It is done.',
    outcome: 'pr_ready',
    repair: { changes: [ADD], sees: CHECK_WORDS },
  },
  { name: 'second review', mode: 'review', sees: COMMENT, says: 'All is well now.', outcome: 'approved' },
  {
    name: 'first review',
    mode: 'review',
    says: 'Something is missing.',
    outcome: 'changes_requested',
    payload: {
      summary: 'Nearly done',
      comments: [{ comment: COMMENT, severity: 'critical', file: 'sum.sh', line: 1 }],
    },
  },
];

export const ANSWER = 'Whole numbers only';
export const CHOICE = 'Take the short one';
export const PERMISSION = 'No, the name stays sum.sh';
const FAILED = 'Project checks failed: test';

/** A person corrects it. */
export const WRONG_PLAN = '1. Change the minus in sum.sh to a cross.';

export const CODING_BEATS: ReadonlyArray<Beat> = [
  { name: 'plan', mode: 'plan', sees: CHOICE, says: WRONG_PLAN, outcome: 'plan_complete' },
  {
    name: 'options',
    mode: 'plan',
    sees: ANSWER,
    says: 'There are two ways.',
    outcome: 'options_proposed',
    payload: {
      summary: 'Two ways to add',
      options: [
        { id: 'short', label: 'Short', description: 'One operator', recommended: true },
        { id: 'long', label: 'Long', description: 'A loop', tradeoffs: 'slow' },
      ],
    },
  },
  {
    name: 'question',
    mode: 'plan',
    says: 'I need to know more.',
    outcome: 'needs_info',
    payload: { questions: [{ id: 'q1', question: 'Which numbers?', inputType: 'text' }] },
  },
  { name: 'rework', mode: 'implement', sees: COMMENT, changes: [NOTE], says: 'Noted.', outcome: 'pr_ready' },
  {
    name: 'second try',
    mode: 'implement',
    sees: FAILED,
    changes: [{ path: 'sum.sh', old: '$1 * $2', new: '$1 * $2 ' }],
    says: 'Better.',
    outcome: 'pr_ready',
    repair: { changes: [ADD], sees: CHECK_WORDS },
  },
  {
    name: 'first try',
    mode: 'implement',
    sees: PERMISSION,
    changes: [MULTIPLY],
    says: 'It is done.',
    outcome: 'pr_ready',
    repair: { changes: [], sees: CHECK_WORDS },
  },
  {
    name: 'question at work',
    mode: 'implement',
    sees: PLAN_TEXT,
    says: 'May I?',
    outcome: 'needs_info',
    payload: { questions: [{ id: 'q1', question: 'May the file be renamed?', inputType: 'boolean' }] },
  },
];

const OFFERED: Readonly<Record<Beat['mode'], string>> = {
  plan: 'plan_complete',
  implement: 'pr_ready',
  review: 'approved',
};

export function scriptsOf(beats: ReadonlyArray<Beat>): ReadonlyArray<Script> {
  return beats.map(({ mode, sees, changes = [], says, repair, ...told }) => {
    const report: ReadonlyArray<ScriptStep> = [
      { do: 'output', text: says },
      { do: 'outcome', outcome: told.outcome, ...('payload' in told ? { payload: told.payload } : {}) },
    ];
    return {
      when: { outcome: OFFERED[mode], ...(sees === undefined ? {} : { promptIncludes: sees }) },
      steps: [...changes.map(stepOf), ...report],
      replies: { 'repair:checks': [...(repair?.changes ?? []).map(stepOf), ...report] },
    };
  });
}

function stepOf(change: Change): ScriptStep {
  return 'content' in change
    ? { do: 'createFile', ...change }
    : { do: 'modifyFile', path: change.path, find: change.old, replace: change.new };
}

const MODE_WORDS: Readonly<Record<Beat['mode'], string>> = {
  plan: 'You prepare the work on this task',
  implement: 'You carry out this task',
  review: 'You review the change on this branch',
};

type Conversation = NonNullable<ScriptInput['conversations']>[number];
type Turns = Conversation['turns'];

/** The same beats as conversations of a model. It is told of failed checks in the same conversation, with their output. */
export function modelOf(beats: ReadonlyArray<Beat>): ScriptInput {
  return {
    conversations: beats.map(
      ({ name, mode, sees = '', changes = [], asks, says, repair, outcome, payload }): Conversation => {
        const args = { outcome, ...(payload === undefined ? {} : { payload }) };
        const end: Turns = [{ text: says, toolCalls: [{ name: 'report_outcome', args }] }, { text: 'Over to you.' }];
        const [first = end[0], ...rest] = repair === undefined ? [] : [...repair.changes.flatMap(turnsFor), ...end];
        return {
          name,
          match: { firstUser: { contains: MODE_WORDS[mode], regex: RegExp.escape(sees) } },
          turns: [
            ...changes.flatMap(turnsFor),
            ...(asks === undefined ? [] : [{ toolCalls: [{ use: 'shell' as const, command: asks }] }]),
            ...end,
            ...(repair === undefined || first === undefined
              ? []
              : [{ ...first, expect: { lastUser: repair.sees } }, ...rest]),
          ],
        };
      },
    ),
  };
}

function turnsFor(change: Change): Turns {
  if ('content' in change) return [{ toolCalls: [{ use: 'write', ...change }] }];
  return [{ toolCalls: [{ use: 'read', path: change.path }] }, { toolCalls: [{ use: 'edit', ...change }] }];
}

export type RemoteWorld = { readonly checkout: string; readonly bare: string };

const FILES: Readonly<Record<string, string>> = {
  'sum.sh': 'echo $(( $1 - $2 ))\n',
  'check.sh': 'got="$(sh sum.sh 2 3)"\necho "2 and 3 gave $got"\ntest "$got" = 5\n',
  '.attractor/config.json': JSON.stringify({ strict: true, checks: { test: { command: 'sh check.sh' } } }),
};

/** A checkout whose `origin` is a bare repository on disk, and in which a person has begun something of their own. */
export function makeRemoteWorld(): RemoteWorld {
  const folder = makeFolder();
  const [checkout, bare] = [path.join(folder, 'checkout'), path.join(folder, 'origin.git')];
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(checkout, name)), { recursive: true });
    writeFileSync(path.join(checkout, name), content);
  }
  git(checkout, 'init', '-q', '-b', 'main');
  git(checkout, 'add', '--all');
  git(checkout, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', 'commit', '-q', '-m', 'first');
  git(checkout, 'init', '-q', '--bare', '-b', 'main', bare);
  git(checkout, 'remote', 'add', 'origin', bare);
  git(checkout, 'push', '-q', 'origin', 'main');
  git(checkout, 'fetch', '-q', 'origin');
  writeFileSync(path.join(checkout, 'draft.txt'), 'mine\n');
  return { checkout, bare };
}

/** The remote's base has the whole change in one commit; the person's own checkout is as they left it. */
export function expectMerged({ checkout, bare }: RemoteWorld, title: string): void {
  expect(git(bare, 'log', '--format=%s', 'main')).toBe(`${title} (#1)\nfirst`);
  expect(git(bare, 'show', 'main:sum.sh')).toContain('$1 + $2');
  expect(git(bare, 'show', 'main:notes.md')).toBe('sum adds');
  expect(git(bare, 'ls-tree', '-r', '--name-only', 'main').split('\n').toSorted()).toEqual(
    [...Object.keys(FILES), 'notes.md'].toSorted(),
  );
  expect(git(checkout, 'log', '--format=%s', 'HEAD')).toBe(`${title} (#1)\nfirst`);
  expect(git(checkout, 'branch', '--show-current')).toBe('main');
  expect(git(checkout, 'status', '--porcelain')).toBe('?? draft.txt');
  expect(readFileSync(path.join(checkout, 'sum.sh'), 'utf8')).toContain('$1 + $2');
}

export function git(cwd: string, ...args: ReadonlyArray<string>): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trimEnd();
}
