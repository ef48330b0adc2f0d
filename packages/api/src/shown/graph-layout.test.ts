import type { PipelineDefinition } from '@attractor/platform';
import { expect, it } from 'vitest';
import { layOut } from './graph-layout.ts';

const status = (id: string, position: number) => ({ id, label: id, color: '', category: 'active', position }) as const;
const move = (from: string, to: string) =>
  ({ id: `${from}-${to}`, from, to, label: '', trigger: { type: 'manual' } }) as const;

it('puts each status once, further right with every step from the first, and leaves out no transition', () => {
  const pipeline: PipelineDefinition = {
    id: 'p',
    version: 1,
    name: 'p',
    isDefault: false,
    statuses: [status('open', 0), status('work', 1), status('done', 2), status('lost', 3)],
    transitions: [move('open', 'work'), move('work', 'done'), move('work', 'open'), move('*', 'done')],
    initialStatus: 'open',
    terminalStatuses: ['done'],
  };
  const { statuses, edges } = layOut(pipeline);
  const x = Object.fromEntries(statuses.map((one) => [one.status.id, one.x]));
  expect(Object.keys(x)).toHaveLength(4);
  expect([x['open'], x['work'], x['done']].toSorted((a, b) => Number(a) - Number(b))).toEqual([
    x['open'],
    x['work'],
    x['done'],
  ]);
  expect(edges.map(({ key }) => key)).toEqual(['open-work', 'work-done', 'work-open']);
});
