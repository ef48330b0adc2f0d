import {
  type Actor,
  appendEvents,
  closePrompt,
  insertPrompt,
  listPrompts,
  type NewPrompt,
  type Prompt,
  type Tx,
} from '@attractor/store';

type PromptEvent = 'prompt.created' | 'prompt.answered' | 'prompt.cancelled';

/** The project that a question belongs to, and who asks it. */
export type PromptOrigin = { readonly projectId: string; readonly actor: Actor };

/** Asks a person: the prompt and its event, in one transaction. */
export async function askPerson(tx: Tx, prompt: NewPrompt, asking: PromptOrigin): Promise<Prompt> {
  const asked = await insertPrompt(tx, prompt);
  await tellOfPrompt(tx, asked, { ...asking, type: 'prompt.created', summary: `Waiting for a person: ${asked.title}` });
  return asked;
}

/** Withdraws prompts that no longer need an answer; `only` selects among the pending ones. */
export async function withdrawPrompts(
  tx: Tx,
  of: { readonly taskId: string; readonly only: (prompt: Prompt) => boolean },
  asking: PromptOrigin,
): Promise<void> {
  const pending = await listPrompts(tx, { taskId: of.taskId, status: 'pending' });
  for (const prompt of pending.filter(of.only)) {
    const closed = await closePrompt(tx, prompt, 'cancelled');
    if (closed !== null)
      await tellOfPrompt(tx, closed, {
        ...asking,
        type: 'prompt.cancelled',
        summary: `No longer needed: ${prompt.title}`,
      });
  }
}

export async function tellOfPrompt(
  tx: Tx,
  prompt: Prompt,
  told: PromptOrigin & { readonly type: PromptEvent; readonly summary: string },
): Promise<void> {
  await appendEvents(tx, [
    {
      projectId: told.projectId,
      taskId: prompt.taskId,
      runId: prompt.runId,
      type: told.type,
      summary: told.summary,
      data: { prompt },
      actor: told.actor,
    },
  ]);
}
