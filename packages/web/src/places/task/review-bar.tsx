import { pendingPrompts } from '@attractor/api';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import type { TaskWorld } from '../../data/task-world.ts';
import { commentText, type useLineComments } from '../../diff/line-comments.ts';
import { Button } from '../../ui/button.tsx';
import { MessageField, messageOf } from '../../ui/message-field.tsx';
import { Refused } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';

type ReviewBarProps = {
  readonly world: TaskWorld;
  readonly remarks: ReturnType<typeof useLineComments>;
  readonly fileCount: number;
  readonly seen: number;
};

/** The end of a review: all comments go to the agent as one, or the work is accepted. */
export function ReviewBar({ world, remarks, fileCount, seen }: ReviewBarProps) {
  const { message, setMessage, text, review, busy, error, ask, approve } = useReview(world, remarks);
  const count = remarks.comments.length;
  return (
    <section
      aria-label="Your review"
      className="flex flex-col gap-2 rounded-lg border border-edge bg-raised p-3 md:sticky md:bottom-3 md:flex-row md:flex-wrap md:items-end md:shadow-menu"
    >
      <div className="md:flex-[1_1_280px]">
        <MessageField
          label={
            count === 0 ? 'Your review' : `Your review, with ${count} ${count === 1 ? 'comment' : 'comments'} on lines`
          }
          value={message}
          rows={1}
          onChange={setMessage}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {review === undefined ? null : (
          <>
            <Button
              kind={count > 0 ? 'plain' : 'primary'}
              isBusy={busy}
              disabled={count > 0}
              onClick={() => void approve(false)}
            >
              Approve
            </Button>
            <Button isBusy={busy} disabled={count > 0} onClick={() => void approve(true)}>
              Approve and merge
            </Button>
          </>
        )}
        <Button
          kind={count > 0 || review === undefined ? 'primary' : 'plain'}
          isBusy={busy}
          disabled={text === ''}
          onClick={() => void ask()}
        >
          {review === undefined ? 'Send to the agent' : 'Ask for changes'}
        </Button>
        {review !== undefined && seen < fileCount ? (
          <span className="text-sm text-wait">{fileCount - seen} not viewed yet</span>
        ) : null}
      </div>
      <Refused error={error} />
    </section>
  );
}

function useReview(world: TaskWorld, remarks: ReviewBarProps['remarks']) {
  const { taskId } = world.task;
  const [message, setMessage] = useDraft(`${taskId}.review`);
  const { busy, error, run } = useCommand();
  const review = pendingPrompts(world.task).find(({ type }) => type === 'review');
  const text = commentText(message, remarks.comments);
  const end = (what: string) => {
    setMessage('');
    remarks.clear();
    toast(what);
  };
  const ask = async () => {
    const answer = { decision: 'changes', message: text } as const;
    const sent =
      review === undefined
        ? await run(() => api.messages.send(taskId, { text }))
        : await run(() => api.prompts.answer(review.id, { contentHash: review.contentHash, answer }));
    if (sent !== null) end(review === undefined ? 'Sent to the agent' : 'Changes asked for');
  };
  const approve = async (merge: boolean) => {
    const hash = review === undefined ? {} : { contentHash: review.contentHash };
    const done = await run(() => api.branches.approve(taskId, { merge, ...hash, ...messageOf(message) }));
    if (done !== null) end(merge ? 'Approved and merged' : 'Approved');
  };
  return { message, setMessage, text, review, busy, error, ask, approve };
}
