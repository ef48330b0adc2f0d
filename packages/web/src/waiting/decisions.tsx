import type { PromptAnswer } from '@attractor/api';
import { commentText, counted, type LineComment } from '@attractor/api/shown';
import { useRef } from 'react';
import { useDraft } from '../data/draft.ts';
import { Button } from '../ui/button.tsx';
import { MessageField, messageOf } from '../ui/message-field.tsx';
import type { PromptFormProps } from './prompt-form.ts';
import { useFormKeys } from './use-form-keys.ts';

type DecisionsProps = PromptFormProps<'plan_approval' | 'review' | 'split_proposal'> & {
  readonly approve: string;
  readonly reject?: string;
  /** What goes along with an approval. */
  readonly approval?: Pick<PromptAnswer, 'only' | 'plan' | 'subtasks'>;
  readonly onEdit?: () => void;
  /** Something else on the page is the primary button. */
  readonly isSecond?: boolean;
  /** What was said on lines of the change beside this. */
  readonly comments?: ReadonlyArray<LineComment>;
};

/** Approve, ask for changes with a message, or reject: only those for which the pipeline has a transition. */
export function Decisions({ prompt, busy, onAnswer, onMerge, approve, reject, approval, ...more }: DecisionsProps) {
  const [message, setMessage] = useDraft(prompt.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const { comments } = more;
  const text = commentText(message, comments ?? []);
  const isCommented = comments !== undefined && comments.length > 0;
  const answer = (decision: PromptAnswer['decision']) => onAnswer({ decision, ...messageOf(text) });
  const onApprove = () => onAnswer({ decision: 'approve', ...approval, ...messageOf(message) });
  const write = () => field.current?.focus();
  useFormKeys({
    hasKeys: more.hasKeys,
    ...(isOffered(prompt, 'approve') && !busy && !isCommented ? { onApprove } : {}),
    ...(more.onEdit === undefined ? {} : { onEdit: more.onEdit }),
    ...(comments === undefined ? {} : { onAskForChanges: write }),
    onReject: write,
  });
  return (
    <>
      <MessageField
        label={labelOf(comments)}
        value={message}
        field={field}
        {...(comments === undefined ? {} : { rows: 1 })}
        onChange={setMessage}
      />
      <DecisionButtons
        {...{ prompt, busy, approve, isCommented, onApprove }}
        isSecond={more.isSecond === true}
        hasWords={text !== ''}
        reject={reject ?? 'Reject'}
        onAnswer={answer}
        {...(onMerge === undefined ? {} : { onMerge: () => onMerge(message) })}
      />
    </>
  );
}

type DecisionButtonsProps = Pick<DecisionsProps, 'prompt' | 'busy' | 'approve'> & {
  readonly reject: string;
  readonly isSecond: boolean;
  /** Something was said on a line: nothing is approved over it. */
  readonly isCommented: boolean;
  readonly hasWords: boolean;
  readonly onApprove: () => void;
  readonly onMerge?: () => void;
  readonly onAnswer: (decision: 'changes' | 'reject') => void;
};

function DecisionButtons({ prompt, busy, isCommented, onMerge, onAnswer, ...own }: DecisionButtonsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      {isOffered(prompt, 'approve') ? (
        <Button
          kind={own.isSecond || isCommented ? 'plain' : 'primary'}
          isBusy={busy}
          disabled={isCommented}
          onClick={own.onApprove}
        >
          {own.approve}
        </Button>
      ) : null}
      {isOffered(prompt, 'approve') && onMerge !== undefined ? (
        <Button isBusy={busy} disabled={isCommented} onClick={onMerge}>
          Approve and merge
        </Button>
      ) : null}
      {isOffered(prompt, 'changes') ? (
        <Button
          kind={isCommented ? 'primary' : 'plain'}
          isBusy={busy}
          disabled={!own.hasWords}
          onClick={() => onAnswer('changes')}
        >
          Ask for changes
        </Button>
      ) : null}
      {isOffered(prompt, 'reject') ? (
        <Button kind="danger" isBusy={busy} onClick={() => onAnswer('reject')}>
          {own.reject}
        </Button>
      ) : null}
    </div>
  );
}

/** Whether the pipeline has a transition for it. */
function isOffered({ payload: { answers } }: DecisionsProps['prompt'], decision: string): boolean {
  return answers === undefined || decision in answers;
}

function labelOf(comments: ReadonlyArray<LineComment> | undefined): string {
  if (comments === undefined) return 'Message to the agent (required to ask for changes)';
  return reviewLabel(comments.length);
}

/** Of the message at the end of a review. */
export function reviewLabel(comments: number): string {
  return comments === 0 ? 'Your review' : `Your review, with ${counted(comments, 'comment')} on lines`;
}
