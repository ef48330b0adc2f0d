import type { PipelineDefinition, StatusCategory, TransitionOption } from '@attractor/platform';
import { describe, expect, it } from 'vitest';
import { targetsOf } from './choose-target.ts';

const CATEGORIES: Readonly<Record<string, StatusCategory>> = {
  open: 'backlog',
  planning: 'active',
  in_progress: 'active',
  done: 'done',
  cancelled: 'done',
};

const PIPELINE: PipelineDefinition = {
  id: 'sample',
  version: 1,
  name: 'Sample',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: Object.entries(CATEGORIES).map(([id, category], position) => ({
    id,
    label: id,
    color: 'gray',
    category,
    position,
  })),
  transitions: [],
};

function option(to: string, allowed = true, mode = 'implement'): TransitionOption {
  const hooks = [{ type: 'start_agent', params: { mode } }];
  const transition = { id: to, from: 'open', to, label: to, trigger: { type: 'manual' }, hooks } as const;
  return { transition, allowed, blockedBy: allowed ? [] : [{ guard: 'has_plan', reason: 'There is no plan.' }] };
}

describe('what a person means by a move', () => {
  it('is the one status of its kind, whatever the pipeline calls it', () => {
    const options = [option('in_progress'), option('done'), option('cancelled')];
    expect(targetsOf('start', { options, pipeline: PIPELINE })).toEqual(['in_progress']);
    expect(targetsOf('done', { options, pipeline: PIPELINE })).toEqual(['done']);
    expect(targetsOf('cancel', { options, pipeline: PIPELINE })).toEqual(['cancelled']);
  });

  it('prefers what is possible; where nothing is, the refusal shall say what is missing', () => {
    const some = [option('planning'), option('in_progress', false)];
    expect(targetsOf('start', { options: some, pipeline: PIPELINE })).toEqual(['planning']);
    const none = [option('planning', false), option('in_progress', false)];
    expect(targetsOf('start', { options: none, pipeline: PIPELINE })).toEqual(['planning', 'in_progress']);
    expect(targetsOf('done', { options: none, pipeline: PIPELINE })).toEqual([]);
  });

  it('begins with a plan where work may begin in several ways', () => {
    const options = [option('planning', true, 'plan'), option('in_progress')];
    expect(targetsOf('start', { options, pipeline: PIPELINE })).toEqual(['planning']);
  });
});
