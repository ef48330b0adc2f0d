import { pendingPrompts, type PromptOf } from '@attractor/api';
import { commentText, type TaskWorld } from '@attractor/api/shown';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { forgetLineComments, useLineComments } from '../../diff/line-comments.ts';
import { Button } from '../../ui/button.tsx';
import { MessageField } from '../../ui/message-field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';
import { reviewLabel } from '../../waiting/decisions.tsx';
import { REVIEW_BAR, ReviewDecision } from '../../waiting/review-decision.tsx';
import { useAnswering } from '../../waiting/use-answering.ts';

type ReviewBarProps = {
  readonly world: TaskWorld;
  /** Files that were not viewed yet. */
  readonly left: number;
  readonly canMerge: boolean;
};

/** The end of a review: all comments go to the agent as one, or the work is accepted. */
export function ReviewBar({ world, left, canMerge }: ReviewBarProps) {
  const review = pendingPrompts(world.task).find((prompt) => prompt.type === 'review');
  return review === undefined ? (
    <Words taskId={world.task.taskId} />
  ) : (
    <Answering prompt={review} left={left} canMerge={canMerge} />
  );
}

type AnsweringProps = Omit<ReviewBarProps, 'world'> & { readonly prompt: PromptOf<'review'> };

const DONE: Readonly<Record<string, string>> = {
  approve: 'Approved',
  merge: 'Approved and merged',
  changes: 'Changes asked for',
};

function Answering({ prompt, left, canMerge }: AnsweringProps) {
  const { busy, error, answer, merge } = useAnswering(prompt, (given) => sayDone(DONE[given]));
  const isPart = prompt.payload.part === true;
  return (
    <ReviewDecision
      prompt={prompt}
      left={left}
      busy={busy}
      refused={<Refused error={error} />}
      onAnswer={(given) => void answer(given)}
      {...(canMerge && !isPart ? { onMerge: (message: string) => void merge(message) } : {})}
    />
  );
}

/** A rejection says itself that it can be taken back. */
function sayDone(text: string | undefined): void {
  if (text !== undefined) toast(text);
}

/** Nothing is asked: what is said goes to the agent as a message. */
function Words({ taskId }: { readonly taskId: string }) {
  const [message, setMessage] = useDraft(`${taskId}.review`);
  const { comments } = useLineComments(taskId);
  const { busy, error, run } = useCommand();
  const text = commentText(message, comments);
  const send = async () => {
    if ((await run(() => api.messages.send(taskId, { text }))) === null) return;
    setMessage('');
    forgetLineComments(taskId);
    toast('Sent to the agent');
  };
  return (
    <section aria-label="Your review" className={REVIEW_BAR}>
      <MessageField label={reviewLabel(comments.length)} value={message} rows={1} onChange={setMessage} />
      <Button kind="primary" isBusy={busy} disabled={text === ''} onClick={() => void send()}>
        Send to the agent
      </Button>
      <Refused error={error} />
    </section>
  );
}
