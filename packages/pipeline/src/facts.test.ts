import { expect, it, onTestFinished } from 'vitest';
import { openStore, type PipelineDefinition, saveStep } from '@attractor/store';
import { makeFolder, must, putProject, putRun, putTask, SAMPLE_PIPELINE } from '@attractor/store/testing';
import { readOptions } from './engine.ts';

/** Ends only work that was searched for secrets. */
const SCANNED: PipelineDefinition = {
  ...SAMPLE_PIPELINE,
  transitions: [
    {
      id: 'end',
      from: 'open',
      to: 'done',
      label: 'End',
      trigger: { type: 'manual' },
      guards: [{ type: 'scan_passed' }],
    },
  ],
};

it.each([
  ['passed', true],
  ['failed', false],
  [null, false],
] as const)('scan_passed reads how the last search for secrets ended: %s', async (scan, allowed) => {
  const store = must(await openStore({ home: makeFolder() }));
  onTestFinished(() => store.close());
  const project = await putProject(store, SCANNED);
  const task = await putTask(store, project);
  await store.transact(async (tx) => {
    const run = await putRun(tx, task);
    await saveStep(tx, run.id, { step: 'validate', ok: true, result: { scan } });
  });
  const [end] = await readOptions(store.read, task, { pipeline: SCANNED, trigger: { type: 'manual' } });
  expect(end).toMatchObject({ allowed, transition: { id: 'end' } });
});
