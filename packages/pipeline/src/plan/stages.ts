import type { PlanEntry } from './plan-items.ts';

/** A part of the work that has a run of its own: which entries of the plan have to be done after it, and which may be. */
export type Stage = {
  readonly due: ReadonlyArray<PlanEntry['kind']>;
  readonly may: ReadonlyArray<PlanEntry['kind']>;
  /** Which files may be written; everything else is refused, and found afterwards if it was written all the same. */
  readonly writes: 'new' | 'present' | 'tests' | 'nothing';
  /** Whether the whole work is ready after it, to be pushed as such. */
  readonly isLast: boolean;
  readonly instructions: string;
};

const ALL = ['create', 'modify', 'test', 'dependency', 'command'] as const;

/** What `stage` of an action that starts an agent may be. */
export const STAGES: Readonly<Record<string, Stage>> = {
  create: {
    due: ['create'],
    may: ['create', 'test', 'dependency', 'command'],
    writes: 'new',
    isLast: false,
    instructions:
      'This run is the first part of the work: create the files that are to be created, and change none that is there already: that is refused here. A person looks at them before others are changed. The project need not use them yet.',
  },
  modify: {
    due: ALL,
    may: ALL,
    writes: 'present',
    isLast: false,
    instructions:
      'This run is the second part of the work: the new files are there and were looked at. Change the files that are to be changed, until the whole task is done. Further new files are refused here: if one is needed, say so in your report.',
  },
  git: {
    due: ALL,
    may: ALL,
    writes: 'nothing',
    isLast: true,
    instructions:
      'This run is the last part of the work: every change was looked at and stays as it is. Change no file, and run nothing but git and what reads: the rest is refused here. Put the commits of this branch into the form in which they should be merged: few, each of one concern, with messages that say what a reader gains; git reset --soft to the base and new commits are a way. Then report pr_ready.',
  },
  tests: {
    due: ['test'],
    may: ['test', 'dependency', 'command'],
    writes: 'tests',
    isLast: false,
    instructions:
      'This run writes the tests, before there is anything that could pass them: write the tests of the plan and what they need beside them, such as fixtures; other files are refused here. They have to fail, because what they test is missing, and not because they are broken. The checks of the project are run after you, and at least one test has to fail.',
  },
};

export function stageOf(name: unknown): Stage | null {
  return typeof name === 'string' && Object.hasOwn(STAGES, name) ? (STAGES[name] ?? null) : null;
}
