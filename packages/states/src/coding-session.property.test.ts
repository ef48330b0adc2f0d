import { SESSION_STAGES } from '@attractor/facts';
import { BUILT_IN_PIPELINES } from '@attractor/pipeline';
import { expect, it } from 'vitest';
import { sessionOf } from './coding-session.ts';
import { everyStateFacts } from './test-support/every-state.ts';

const AT = '2026-11-16T10:00:00.000Z';
const PIPELINES =
  process.env['SOAK'] === '1' ? undefined : BUILT_IN_PIPELINES.filter(({ id }) => id === 'coding' || id === 'simple');

it('of every task in any state has one of the known stages, and a pending action exactly while a person is awaited', () => {
  const seen = new Set<string>();
  for (const facts of everyStateFacts(PIPELINES)) {
    const { stage, pending_action: pending } = sessionOf({ facts, clarified: null, actions: [], updatedAt: AT });
    const { task, pipeline, prompts } = facts;
    const place = `${pipeline.id} ${task.status} ${facts.run?.status ?? 'no run'} ${prompts[0]?.type ?? 'no question'}`;
    const isEnded = pipeline.terminalStatuses.includes(task.status);
    if (!SESSION_STAGES.includes(stage)) throw new Error(`${place}: unknown stage ${stage}`);
    if ((pending !== null) !== stage.startsWith('awaiting_'))
      throw new Error(`${place}: ${stage} with the pending action ${JSON.stringify(pending)}`);
    if (prompts.length > 0 && !isEnded && pending?.prompt_id !== prompts[0]?.id)
      throw new Error(`${place}: the question is not the pending action`);
    if (isEnded && stage !== 'completed' && stage !== 'cancelled') throw new Error(`${place}: ${stage}`);
    seen.add(stage);
  }
  expect([...seen].toSorted()).toEqual([...SESSION_STAGES].toSorted());
});
