import { failure, type Failure, type Prompt, type PromptAnswer } from '@attractor/api';
import { useState } from 'react';
import { api } from '../data/api.ts';
import { forgetLineComments } from '../diff/line-comments.ts';
import { messageOf } from '../ui/message-field.tsx';
import { typeset, whoDid } from '@attractor/api/shown';
import { toast } from '../ui/toast.tsx';
import { useCommand } from '../ui/use-command.ts';
import { forgetPromptDrafts, whileAnswering } from './prompt-drafts.ts';

/** What was answered; merging is an approval of its own kind. */
export type Given = PromptAnswer['decision'] | 'merge';

/** Sends an answer, bound to what was shown. What was written stays until it has arrived. */
export function useAnswering(prompt: Prompt, onAnswered: ((given: Given) => void) | undefined) {
  const { busy, error, run } = useCommand();
  const [beaten, setBeaten] = useState<Failure | null>(null);
  const finish = async (sent: unknown, given: Given) => {
    if (sent === null) {
      setBeaten(await answeredByOther(prompt));
      return;
    }
    if (given === 'reject') void offerWayBack(prompt.taskId);
    forgetPromptDrafts(prompt.id);
    if (prompt.type === 'review') forgetLineComments(prompt.taskId);
    onAnswered?.(given);
  };
  return {
    busy,
    error: beaten ?? error,
    answer: (given: PromptAnswer) =>
      whileAnswering(prompt.id, async () =>
        finish(
          await run(() => api.prompts.answer(prompt.id, { contentHash: prompt.contentHash, answer: given })),
          given.decision,
        ),
      ),
    merge: (message: string) =>
      whileAnswering(prompt.id, async () =>
        finish(
          await run(() =>
            api.branches.approve(prompt.taskId, {
              merge: true,
              contentHash: prompt.contentHash,
              ...messageOf(message),
            }),
          ),
          'merge',
        ),
      ),
  };
}

/** A task that the rejection has ended can be opened again; one that goes on needs no way back. */
async function offerWayBack(taskId: string): Promise<void> {
  const states = await api.tasks.states({ ids: taskId });
  if (states.ok && states.value[0]?.state.kind === 'closed') toast('Rejected', { undo: () => void reopen(taskId) });
}

async function reopen(taskId: string): Promise<void> {
  const back = await api.tasks.reopen(taskId);
  if (!back.ok) toast(typeset(back.error.message), { isBad: true });
}

/** Somebody else was faster: says what was answered; the draft stays. */
async function answeredByOther({ id, taskId }: Prompt): Promise<Failure | null> {
  const now = await api.prompts.get(id);
  if (!now.ok || now.value.status === 'pending') return null;
  const events = await api.events.page({ taskId, type: 'prompt.answered', from: 'newest', limit: 20 });
  const own = events.ok ? events.value.find(({ data }) => 'prompt' in data && isPrompt(data.prompt, id)) : undefined;
  const who = own === undefined ? 'Somebody else' : whoDid(own.actor);
  return failure('conflict', `${who} has already answered this. What you wrote is kept.`);
}

function isPrompt(value: unknown, id: string): boolean {
  return typeof value === 'object' && value !== null && 'id' in value && value.id === id;
}
