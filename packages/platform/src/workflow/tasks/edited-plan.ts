import { askPerson, withdrawPrompts } from '@attractor/pipeline';
import { type Actor, listPrompts, planIn, type Prompt, type PromptOf, type Task, type Tx } from '@attractor/store';

/** A plan that was edited while it waits is asked about as it is now: an approval counts only for what was shown. */
export async function askAboutEditedPlan(tx: Tx, task: Task, actor: Actor): Promise<void> {
  const asking = { projectId: task.projectId, actor };
  const pending = await listPrompts(tx, { taskId: task.id, status: 'pending' });
  for (const prompt of pending.filter(isOfPlan)) {
    if (prompt.payload.plan === task.plan) continue;
    await withdrawPrompts(tx, { taskId: task.id, only: ({ id }) => id === prompt.id }, asking);
    await askPerson(
      tx,
      { ...prompt, key: null, payload: { ...prompt.payload, plan: task.plan, data: planIn(task.plan) } },
      asking,
    );
  }
}

function isOfPlan(prompt: Prompt): prompt is PromptOf<'plan_approval'> {
  return prompt.type === 'plan_approval';
}
