import { expect, it } from 'vitest';
import {
  type EditedPipeline,
  freeId,
  readEdited,
  withNewStatus,
  withNewTransition,
  withoutStatus,
  withStatus,
  withTransition,
} from './pipeline-edit.ts';

const PIPELINE = {
  id: 'own',
  name: 'Own',
  initialStatus: 'open',
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 1 },
  ],
  transitions: [{ id: 'finish', from: 'open', to: 'done', label: 'Finish', trigger: { type: 'manual' } }],
  terminalStatuses: ['done'],
} as const satisfies EditedPipeline & Record<string, unknown>;

it('changes what the form shows and leaves the rest of the text as it is', () => {
  const read = readEdited(JSON.stringify(PIPELINE));
  if (read === null) throw new Error('it is a pipeline');
  expect(withStatus(read, 'done', { label: 'Finished' })).toMatchObject({
    id: 'own',
    terminalStatuses: ['done'],
    statuses: [{ label: 'Open' }, { label: 'Finished' }],
  });
  expect(withTransition(read, 'finish', { to: 'open' }).transitions).toMatchObject([{ id: 'finish', to: 'open' }]);
  const none = ['{', '[]', 'null', '{"statuses":3,"transitions":[]}', '{"name":"x","statuses":[{}],"transitions":[]}'];
  expect(none.map(readEdited)).toEqual(none.map(() => null));
  const twice = { ...PIPELINE, statuses: [PIPELINE.statuses[0], PIPELINE.statuses[0]] };
  expect(readEdited(JSON.stringify(twice))).toBeNull();
});

it('gives what is new a name that is free, and takes the ways of a status with it', () => {
  const more = withNewTransition(withNewStatus(withNewStatus(PIPELINE)));
  expect(more.statuses.map(({ id, position }) => [id, position]).slice(2)).toEqual([
    ['status_3', 2],
    ['status_4', 3],
  ]);
  expect(more.transitions.map(({ id }) => id)).toEqual(['finish', 'transition_2']);
  expect(withoutStatus(PIPELINE, 'done')).toMatchObject({
    statuses: [{ id: 'open' }],
    transitions: [],
    terminalStatuses: [],
  });
  expect([freeId('own', []), freeId('own', ['own', 'own-2'])]).toEqual(['own', 'own-3']);
});
