import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform, unconfined } from '@attractor/platform';

/**
 * A worker in its own process: `node many-runs-child.ts HOME PROJECT_PATH COUNT…` works on that many runs in all, one count after another,
 * and prints after each what it holds.
 */
const [home = '', path = '', ...counts] = process.argv.slice(2);
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

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
let done = 0;
for (const count of counts.map(Number)) {
  // Never more than a few at once: what is queued is not what is kept.
  while (done < count) {
    const next = Math.min(20, count - done);
    for (let index = 0; index < next; index += 1) {
      const input = { projectId: project.value.id, title: `Run ${done + index}`, pipelineId: 'simple' };
      const task = await workflow.createTask(input, person);
      if (!task.ok) throw new Error(task.error.message);
      const run = await workflow.startAgent({ taskId: task.value.id, mode: 'implement' }, person);
      if (!run.ok) throw new Error(run.error.message);
    }
    await worker.idle();
    done += next;
  }
  // Twice: what is freed by the first may free more.
  collect();
  await new Promise((resolve) => setTimeout(resolve, 500));
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  const descriptors = readdirSync('/proc/self/fd').length;
  const temporary = readdirSync(process.env['TMPDIR'] ?? '/tmp').length;
  process.stdout.write(`${JSON.stringify({ runs: done, heapUsed, rss, descriptors, temporary })}\n`);
}
await close();
