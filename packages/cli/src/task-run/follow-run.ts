import { type AgentRun, type PlatformEvent, type PlatformWorkflow, RUN_STEPS } from '@attractor/platform';
import { eventLines } from '../follow/event-lines.ts';
import { createStyle, putStyled } from '@attractor/console';

export type EndedRun = { readonly run: AgentRun; readonly failureCode: string | null };

const ACTOR = { type: 'user', name: 'script' } as const;

/** The calls of the agent that are refused, with the reason; all others are allowed. */
type Refused = ReadonlyMap<string, string>;

/**
 * Waits until the run has finished its last step; a stop ends it properly. The run's progress is printed on stderr. Without `refused`
 * nobody can be asked, and what needs an approval is denied.
 */
export async function followRun(
  workflow: PlatformWorkflow,
  { run, signal, refused }: { readonly run: AgentRun; readonly signal: AbortSignal; readonly refused?: Refused },
): Promise<EndedRun> {
  const style = createStyle(process.stderr, process.env);
  let after = 0;
  let failureCode: string | null = null;
  let isStopped = false;
  for (;;) {
    const events = await workflow.events({ after, runId: run.id, limit: 500 });
    for (const event of events) {
      for (const line of isForNobody(event) ? [] : eventLines(event, style)) putStyled(process.stderr, `${line}\n`);
      failureCode = failureOf(event) ?? failureCode;
    }
    after = events.at(-1)?.seq ?? after;
    if (events.some(isLast)) break;
    await answerApprovals(workflow, run, refused);
    if (signal.aborted && !isStopped) {
      isStopped = true;
      await workflow.stopAgent(run.id, ACTOR);
    }
    if (events.length === 0) await change(workflow, signal);
  }
  await stopRetries(workflow, run);
  return { run: (await workflow.getRun(run.id)) ?? run, failureCode };
}

/** Whether an agent shall work on is no question here: it worked once. */
function isForNobody(event: PlatformEvent): boolean {
  return event.type === 'prompt.created' && 'ways' in event.data.prompt.payload;
}

function isLast(event: PlatformEvent): boolean {
  return event.type === 'run.step_finished' && event.data.step === RUN_STEPS.at(-1);
}

function failureOf(event: PlatformEvent): string | null {
  return (event.type === 'agent.failed' ? event.data.failure?.agentCode : null) ?? null;
}

async function answerApprovals(workflow: PlatformWorkflow, run: AgentRun, refused?: Refused): Promise<void> {
  for (const prompt of await workflow.listPrompts({ taskId: run.taskId, status: 'pending' })) {
    if (prompt.type !== 'tool_approval') continue;
    const message = refused === undefined ? nobodyIsThere(prompt.title) : refused.get(prompt.payload.toolCallId);
    const answer =
      message === undefined ? ({ decision: 'approve' } as const) : ({ decision: 'reject', message } as const);
    await workflow.answerPrompt({ promptId: prompt.id, contentHash: prompt.contentHash, answer }, ACTOR);
  }
}

function nobodyIsThere(title: string): string {
  return `Denied: ${title} needs a person's approval, and nobody is there. Continue without it, or report what you need.`;
}

/** Once means once: a retry that would follow later is cancelled. */
async function stopRetries(workflow: PlatformWorkflow, run: AgentRun): Promise<void> {
  for (const other of await workflow.listRuns({ taskId: run.taskId, status: 'running' }))
    if (other.id !== run.id) await workflow.stopAgent(other.id, ACTOR);
}

const TICK_MS = 500;

/** The next hint that there is more to read; a slow timer makes up for a lost one. */
async function change(workflow: PlatformWorkflow, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = workflow.subscribe(() => resolve());
  const tick = setTimeout(resolve, TICK_MS);
  if (!signal.aborted) signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(tick);
  unsubscribe();
}
