import { listPrompts, type Prompt, type PromptAnswer, type Store } from '@attractor/store';
import type { Check } from '../../supervisor/check.ts';
import type { Finding } from '../../supervisor/findings.ts';
import { isCancelled } from '@attractor/facts';
import { findTaskAndPipeline, transitionTask } from '../tasks/tasks.ts';
import { answerPrompt } from './prompts.ts';

const ACTOR = { type: 'supervisor', name: 'expired-prompts' } as const;

/**
 * Where a person chose that questions expire (`supervisor.promptExpiryMs`), one that nobody answered in time counts as refused: a command
 * does not run, a budget is not raised, and a task that waits for an answer is closed. Reopening it asks again.
 */
export function expiredPrompts(defaultAgentType: string): Check {
  return async ({ store, settings: { promptExpiryMs } }) => {
    if (promptExpiryMs === null) return [];
    const before = new Date(Date.parse(await timeOf(store)) - promptExpiryMs).toISOString();
    const pending = await listPrompts(store.read, { status: 'pending' });
    const findings: Finding[] = [];
    for (const prompt of pending.filter(({ createdAt }) => createdAt < before)) {
      const summary = `Nobody answered in time, so it was refused: ${prompt.title}`;
      if (await refuse(store, prompt, { defaultAgentType, summary }))
        findings.push({ check: 'expired-prompts', taskId: prompt.taskId, runId: prompt.runId, summary });
    }
    return findings;
  };
}

async function timeOf(store: Store): Promise<string> {
  return store.dialect === 'postgres' ? new Date(await store.now()).toISOString() : new Date().toISOString();
}

type Refusing = { readonly defaultAgentType: string; readonly summary: string };

/** False if it was answered at the same time. */
async function refuse(store: Store, prompt: Prompt, { defaultAgentType, summary }: Refusing): Promise<boolean> {
  const by = { actor: ACTOR, defaultAgentType };
  const answer: PromptAnswer = { decision: 'reject', message: summary };
  const rejected = await answerPrompt(store, { promptId: prompt.id, answer }, by);
  if (rejected.ok) return true;
  if (rejected.error.code !== 'invalid') return false;
  const found = await findTaskAndPipeline(store.read, prompt.taskId);
  if (!found.ok) return false;
  const to = found.value.pipeline.terminalStatuses.find(isCancelled);
  if (to === undefined) return false;
  return (await transitionTask(store, { taskId: prompt.taskId, to, reason: summary }, by)).ok;
}
