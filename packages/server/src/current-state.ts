import { isWholeId } from '@attractor/api';
import type { PlatformWorkflow, Result } from '@attractor/platform';

type Read = readonly [name: string, read: (workflow: PlatformWorkflow, id: string) => Promise<unknown>];

/** By the kind of an id: how what it names stands now. */
const NOW: Readonly<Record<string, Read>> = {
  tsk: ['task', (workflow, id) => workflow.getTask(id)],
  run: ['run', (workflow, id) => workflow.getRun(id)],
  prm: ['prompt', (workflow, id) => workflow.getPrompt(id)],
  prj: ['project', (workflow, id) => workflow.getProject(id)],
  art: ['artifact', (workflow, id) => workflow.getArtifact(id)],
  atg: ['attempts', (workflow, id) => workflow.getAttempts(id)],
};

/** By the noun of a path whose ids are names. */
const NAMED: Readonly<Record<string, Read>> = {
  pipelines: ['pipeline', (workflow, id) => workflow.getPipeline(id)],
};

type Called = {
  readonly workflow: PlatformWorkflow;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
};

/** A call that does not fit how things stand is told how they stand: what the path names, unless the refusal says it already. */
export async function withCurrentState(result: Result<unknown>, called: Called): Promise<Result<unknown>> {
  if (result.ok || result.error.detail !== undefined) return result;
  const { code } = result.error;
  if (code !== 'conflict' && code !== 'blocked') return result;
  const [given] = Object.values(called.params);
  const noun = /^\/api\/([a-z-]+)/.exec(called.path)?.[1] ?? '';
  const read = given === undefined ? undefined : isWholeId(given) ? NOW[given.slice(0, 3)] : NAMED[noun];
  if (given === undefined || read === undefined) return result;
  const [name, readNow] = read;
  const current = await readNow(called.workflow, given);
  return current === null ? result : { ok: false, error: { ...result.error, detail: { [name]: current } } };
}
