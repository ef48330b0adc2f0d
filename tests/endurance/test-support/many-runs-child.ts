import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform, unconfined } from '@attractor/platform';
import { tellAtEach } from './memory-of-many.ts';

/** A worker in its own process: `node many-runs-child.ts HOME PROJECT_PATH MODEL COUNT…`. The model is not asked. */
const [home = '', path = '', , ...counts] = process.argv.slice(2);

const steps = [
  { do: 'output', text: 'I write.' },
  { do: 'createFile', path: 'made.txt', content: 'made\n' },
  { do: 'usage', inputTokens: 100, outputTokens: 20, costUsd: 0.001 },
  { do: 'outcome', outcome: 'pr_ready' },
] as const;
const opened = await openPlatform({
  home,
  agents: [createScriptedAgent([{ steps }])],
  env: process.env,
  confine: unconfined,
  concurrency: 4,
});
if (!opened.ok) throw new Error(opened.error.message);
const { workflow, worker, close } = opened.value;
const person = { type: 'user', name: 'Ada' } as const;
const project = await workflow.createProject({ path }, person);
if (!project.ok) throw new Error(project.error.message);
await tellAtEach(counts, {
  begin: async (number) => {
    const input = { projectId: project.value.id, title: `Run ${number}`, pipelineId: 'simple' };
    const task = await workflow.createTask(input, person);
    if (!task.ok) throw new Error(task.error.message);
    const run = await workflow.startAgent({ taskId: task.value.id, mode: 'implement' }, person);
    if (!run.ok) throw new Error(run.error.message);
    return task.value.id;
  },
  untilAllEnded: worker.idle,
  closeTask: (taskId) => workflow.closeTask({ taskId }, person),
  supervise: workflow.superviseOnce,
  path,
});
await close();
