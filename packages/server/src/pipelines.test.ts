import { describe, expect, it } from 'vitest';
import { must, openRealWorld } from './test-support/real-world.ts';

const SMALL = {
  id: 'small',
  name: 'Small',
  statuses: [
    { id: 'todo', label: 'To do', color: 'gray', category: 'backlog', position: 0 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 1 },
  ],
  transitions: [{ id: 'finish', from: 'todo', to: 'done', label: 'Finish', trigger: { type: 'manual' } }],
  initialStatus: 'todo',
  terminalStatuses: ['done'],
};

describe('pipelines over HTTP', () => {
  it('are listed, saved as the next version, made the default, drawn and deleted', async () => {
    const { client } = await openRealWorld();
    expect(must(await client.pipelines.list()).map(({ id }) => id)).toContain('coding');
    expect(must(await client.pipelines.save(SMALL))).toMatchObject({ id: 'small', version: 1, isDefault: false });
    expect(must(await client.pipelines.save({ ...SMALL, name: 'Smaller' }))).toMatchObject({ version: 2 });
    expect(must(await client.pipelines.get('small', 1)).name).toBe('Small');
    expect(must(await client.pipelines.graph('small'))).toMatchObject({ format: 'mermaid', version: 2 });
    expect(must(await client.pipelines.graph('small', { format: 'svg' })).text).toContain('<svg');
    expect(must(await client.pipelines.setDefault('small')).isDefault).toBe(true);
    expect(await client.pipelines.delete('small')).toMatchObject({ ok: false, error: { code: 'blocked' } });
    must(await client.pipelines.setDefault('coding'));
    expect(await client.pipelines.delete('small')).toEqual({ ok: true, value: { done: true } });
    expect(await client.pipelines.get('small')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('that are wrong are a bad request that names every place and what belongs there, and change nothing', async () => {
    const { client, fetch, workflow } = await openRealWorld();
    const before = await workflow.lastSeq();
    const wrong = { ...SMALL, statuses: [{ ...SMALL.statuses[0], category: 'soon' }], initialStatus: '' };
    for (const path of ['/api/pipelines', '/api/pipeline-validation']) {
      const response = await fetch(path, { method: 'POST', body: JSON.stringify(wrong) });
      expect(response.status).toBe(400);
      const { error } = (await response.json()) as { error: { code: string; message: string; detail: unknown } };
      expect(error.code).toBe('invalid');
      expect(error.message).toContain('$.statuses[0].category: expected one of backlog, active');
      expect(error.detail).toContainEqual({ path: '$.initialStatus', expected: 'a non-empty text' });
    }
    const broken = await fetch('/api/pipelines', { method: 'POST', body: '{"id": ' });
    expect(broken.status).toBe(400);
    expect(await client.pipelines.validate(SMALL)).toMatchObject({ ok: true });
    expect(await workflow.lastSeq()).toBe(before);
  });
});
