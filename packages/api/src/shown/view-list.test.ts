import { expect, it } from 'vitest';
import { readViews, withView } from './view-list.ts';

it('a name stands for one view, and what is damaged is left out', () => {
  const views = withView(withView([], { name: 'mine', search: 'only=waiting' }), { name: 'all', search: '' });
  expect(views.map(({ name }) => name)).toEqual(['all', 'mine']);
  expect(withView(views, { name: 'mine', search: 'view=list' })).toContainEqual({ name: 'mine', search: 'view=list' });
  expect(withView(views, { name: 'mine', search: 'view=list' })).toHaveLength(2);
  expect(readViews(JSON.stringify([...views, { name: 3 }, null]))).toEqual(views);
  expect([readViews(null), readViews('{'), readViews('{}')]).toEqual([[], [], []]);
});
