import { realpathSync } from 'node:fs';
import { examineTrust } from '@attractor/settings';
import type { Workflow } from '@attractor/platform';
import { makeSample } from '@attractor/repository';
import { SAMPLE_TASK } from '@attractor/facts';
import { parseScript, startSimulator } from '@attractor/simulator';
import { CommandFailure, unwrap, putStyled } from '@attractor/console';
import { ensureProject, followToEnd } from '../follow/carry-out.ts';
import type { Outcome } from '../follow/summary.ts';
import type { AnswerPolicy } from '../follow/work-on-task.ts';
import type { Environment } from '../settings.ts';
import { openServer } from '../working-server.ts';
import { claimDemoFolder, type DemoFolder } from './folder.ts';
import { sampleScript } from './sample-script.ts';

export type DemoOptions = {
  readonly home: string;
  readonly env: Environment;
  readonly approvePlan: boolean;
  readonly pace: number;
  readonly port: number;
  readonly signal: AbortSignal;
};

export type RunningDemo = { readonly outcome: Outcome; readonly close: () => Promise<void> };

const ACTOR = { type: 'user', name: 'demo' } as const;
const MODEL = 'claude-sonnet-4-5-20250929';

/** Runs the sample task, or continues one whose process died; the server stays up until `close`. */
export async function runDemo(options: DemoOptions): Promise<RunningDemo> {
  const folder = claimDemoFolder(options.home);
  putStyled(process.stdout, `${folder.resumed ? 'Continuing the demo in' : 'Demo in'} ${folder.path}\n`);
  unwrap(await makeSample(folder.sample));
  const simulator = await startScriptedModel(options.pace);
  const server = await openServer({
    home: folder.home,
    env: options.env,
    llm: {
      defaultProvider: 'anthropic',
      providers: { anthropic: { apiKey: 'scripted', baseUrl: simulator.baseUrls.anthropic } },
    },
    model: MODEL,
    port: options.port,
    // The sample is our own: without a sandbox its commands, and no others, run unsandboxed.
    allowUnsandboxed: [realpathSync(folder.sample)],
  });
  const close = async (): Promise<void> => {
    await server.close();
    await simulator.close();
    folder.release();
  };
  try {
    const taskId = await ensureTask(server.workflow, folder);
    const { signal } = options;
    const outcome = await followToEnd(server, { taskId, answering: answeringFor(options), signal });
    if (!signal.aborted) folder.markFinished();
    putStyled(process.stdout, `  web app  ${server.signInUrl(`/tasks/${taskId}`)}\n`);
    return { outcome, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startScriptedModel(pace: number): Promise<Awaited<ReturnType<typeof startSimulator>>> {
  const parsed = parseScript(sampleScript({ turnMs: pace * 5, eventMs: pace }));
  if (!parsed.ok) throw new CommandFailure(parsed.error.message);
  return startSimulator({ script: parsed.script, record: 'none' });
}

/** The one task of this demo: created and started unless an earlier process already did so. */
async function ensureTask(workflow: Workflow, folder: DemoFolder): Promise<string> {
  const project = await ensureProject(workflow, folder.sample);
  const { state, hash } = examineTrust(project.path, folder);
  if (state !== 'trusted') unwrap(await workflow.trustConfig(project.id, hash, ACTOR));
  const known = (await workflow.listTasks({ projectId: project.id }))[0];
  const task =
    known ?? unwrap(await workflow.createTask({ ...SAMPLE_TASK, projectId: project.id, pipelineId: 'coding' }, ACTOR));
  if (task.status === 'open') unwrap(await workflow.transition({ taskId: task.id, to: 'planning' }, ACTOR));
  return task.id;
}

/** The sample is the demo's own, so its shell commands are allowed here and nowhere else. */
function answeringFor({ approvePlan }: DemoOptions): AnswerPolicy {
  return (prompt) => {
    if (prompt.type === 'tool_approval') return { decision: 'approve' };
    if (prompt.type === 'plan_approval') return approvePlan ? { decision: 'approve' } : 'ask';
    return 'leave';
  };
}
