import { type Agent, createScriptedAgent } from '@attractor/adapters';
import { RUN_STEPS, type RunStep } from '@attractor/store';

/**
 * How a worker dies in a step. `started` and `saved`: right after that boundary is on disk. `unsaved`: the whole step is done and nothing
 * of it saved. An entry point of the agent: in the middle of the step. A program: it kills the worker before or after it does its own work;
 * `before` means that the effect happens after the death of the worker that requested it.
 */
export type Strike =
  | { readonly by: 'started' | 'unsaved' | 'saved' | 'default config' | 'availability' | 'further input' }
  | { readonly by: 'program'; readonly when: 'before' | 'after'; readonly word: string };

export type Death = { readonly step: RunStep; readonly strike: Strike };

const atEachStep = (by: 'started' | 'unsaved' | 'saved'): ReadonlyArray<Death> =>
  RUN_STEPS.map((step) => ({ step, strike: { by } }));

const during = (step: RunStep, when: 'before' | 'after', word: string): Death => ({
  step,
  strike: { by: 'program', when, word },
});

/** What the steps do outside the database. Those that start no program there die with their transaction unsaved. */
const INSIDE: ReadonlyArray<Death> = [
  during('prepare', 'before', 'worktree-add'),
  { step: 'context', strike: { by: 'default config' } },
  { step: 'configure', strike: { by: 'availability' } },
  during('execute', 'after', 'commit'),
  { step: 'monitor', strike: { by: 'unsaved' } },
  { step: 'parse', strike: { by: 'further input' } },
  during('validate', 'after', 'commit'),
  during('artifacts', 'before', 'push'),
  { step: 'trigger', strike: { by: 'unsaved' } },
  { step: 'cleanup', strike: { by: 'unsaved' } },
];

/** Along each of these ways one run dies ten times. Between the end of one step and the start of the next nothing happens. */
export const WAYS: Readonly<Record<string, ReadonlyArray<Death>>> = {
  'right after each step began': atEachStep('started'),
  'inside each step': INSIDE,
  'when all of a step is done and nothing of it saved': atEachStep('unsaved'),
};

/** Every step dies twice: inside, and at one of its ends in turn. */
export const SHORT_WAYS: Readonly<Record<string, ReadonlyArray<Death>>> = {
  'inside each step': INSIDE,
  'right after a step began or when nothing of it is saved': RUN_STEPS.map((step, index) => ({
    step,
    strike: { by: index % 2 === 0 ? 'started' : 'unsaved' },
  })),
};

/** Each with a separate run. */
export const ALL_DEATHS: ReadonlyArray<Death> = [
  ...Object.values(WAYS).flat(),
  ...atEachStep('saved'),
  during('prepare', 'after', 'worktree-add'),
  during('prepare', 'before', 'fetch'),
  during('prepare', 'after', 'fetch'),
  during('prepare', 'before', 'setup'),
  during('prepare', 'before', 'check'),
  during('execute', 'before', 'commit'),
  during('execute', 'after', 'add'),
  during('validate', 'before', 'commit'),
  during('validate', 'after', 'add'),
  during('validate', 'before', 'check'),
  during('artifacts', 'after', 'push'),
];

/** Commits, leaves a file uncommitted, and names its outcome only when asked, so that each of the ten steps has something to do. */
export function crashAgent(): Agent {
  return createScriptedAgent([
    {
      steps: [
        { do: 'output', text: 'I change the operator.' },
        { do: 'modifyFile', path: 'sum.sh', find: '-', replace: '+' },
        { do: 'commit', message: 'Make sum add' },
        { do: 'usage', inputTokens: 300, outputTokens: 40, costUsd: 0.002 },
        { do: 'createFile', path: 'notes.md', content: 'sum adds\n' },
        { do: 'output', text: 'Done.' },
      ],
      replies: {
        'repair:outcome': [
          { do: 'usage', inputTokens: 100, outputTokens: 10, costUsd: 0.001 },
          { do: 'outcome', outcome: 'pr_ready' },
        ],
      },
    },
  ]);
}
