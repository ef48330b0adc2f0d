import type { Named, PipelineTransition } from '@attractor/store';
import { agent, asks, atMost, FAILS, IDLE, MANUAL, outcome, resumes } from './building-blocks.ts';

/** A part of the work with a run of its own, and the status in which a person looks at it. */
export type WorkPart = {
  readonly work: string;
  readonly label: string;
  readonly hook: Named;
  readonly review: string;
  /** What a person is asked. */
  readonly title: string;
};

/** An agent at work on one of the stages of `STAGES`; `expect`: what the project's tests have to do after it. */
export function stageAgent(params: { readonly stage?: string; readonly expect?: 'red' | 'green' }): Named {
  const { params: mode, type } = agent('implement');
  return { type, params: { ...mode, ...params } };
}

/** An agent does it, a person looks at it: an approval leads on to the next part, or to the end. */
export function workPart(part: WorkPart, next: WorkPart | null): ReadonlyArray<PipelineTransition> {
  const { work, label, hook, review } = part;
  return [
    {
      id: `${work}_ready`,
      from: work,
      to: review,
      label: 'Ready for review',
      trigger: outcome('pr_ready'),
      hooks: [askForReview(part, next)],
    },
    asks(`${work}_asks`, work),
    { id: `${work}_failed`, from: work, to: 'failed', label: 'Failed', trigger: FAILS },
    {
      id: `approve_${work}`,
      from: review,
      to: next?.work ?? 'done',
      label: next === null ? 'Accept' : `Approve, and go on: ${next.label}`,
      trigger: MANUAL,
      guards: [IDLE, { type: 'has_branch' }],
      ...(next === null ? {} : { hooks: [next.hook] }),
    },
    {
      id: `rework_${work}`,
      from: review,
      to: work,
      label: 'Ask for changes',
      trigger: MANUAL,
      guards: [IDLE, atMost(work)],
      hooks: [hook],
    },
    resumes(work, `Resume: ${label}`, hook),
    {
      id: `retry_${work}`,
      from: 'failed',
      to: work,
      label: `Try again: ${label}`,
      trigger: MANUAL,
      guards: [IDLE, { type: 'has_been_in', params: { statusId: work } }],
      hooks: [hook],
    },
  ];
}

function askForReview({ work, title }: WorkPart, next: WorkPart | null): Named {
  return {
    type: 'create_prompt',
    params: {
      type: 'review',
      title,
      ...(next === null ? {} : { part: true }),
      answers: { approve: next?.work ?? 'done', changes: work, reject: 'cancelled' },
    },
  };
}
