import type { PipelineDefinition } from '@attractor/platform';
import { describe, expect, it } from 'vitest';
import { pathSteps } from './main-path.ts';

const status = (id: string, position: number, category = 'active') =>
  ({ id, label: id, category, color: category === 'dropped' ? 'gray' : 'blue', position }) as const;
const manual = (from: string, to: string) => ({
  id: `${from}-${to}`,
  from,
  to,
  label: to,
  trigger: { type: 'manual' },
});

const PIPELINE = {
  statuses: [
    status('open', 0),
    status('working', 1),
    status('asks', 2),
    status('review', 3),
    status('done', 4, 'done'),
    { ...status('cancelled', 5, 'done'), color: 'gray' },
  ],
  transitions: [
    manual('open', 'working'),
    manual('working', 'asks'),
    manual('asks', 'working'),
    manual('working', 'review'),
    manual('review', 'done'),
    manual('*', 'cancelled'),
  ],
  terminalStatuses: ['done', 'cancelled'],
} as unknown as PipelineDefinition;

const shown = (current: string, cameFrom: string | null) =>
  pathSteps({ pipeline: PIPELINE, status: current, cameFrom }).map(
    ({ status: { id }, standing }) => `${standing} ${id}`,
  );

describe('the way of a task through its pipeline', () => {
  it('has behind it what comes before, and no detours', () => {
    expect(shown('working', 'asks')).toEqual(['passed open', 'here working', 'ahead review', 'ahead done']);
  });

  it('leads on from where a detour was taken', () => {
    expect(shown('asks', 'working')).toEqual([
      'passed open',
      'here asks',
      'ahead working',
      'ahead review',
      'ahead done',
    ]);
    expect(shown('cancelled', 'review')).toEqual(['passed open', 'passed working', 'here cancelled']);
  });

  it('claims nothing where nobody knows that', () => {
    expect(shown('asks', null)).toEqual(['here asks', 'ahead open', 'ahead working', 'ahead review', 'ahead done']);
    expect(shown('cancelled', 'asks')).toEqual(['here cancelled']);
  });
});
