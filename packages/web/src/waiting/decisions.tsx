import type { PromptAnswer } from '@attractor/api';
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
};

/** Approve, ask for changes with a message, or reject: only those for which the pipeline has a transition. */
export function Decisions({ prompt, busy, onAnswer, onMerge, approve, reject, approval, ...keys }: DecisionsProps) {
  const [message, setMessage] = useDraft(prompt.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const { answers } = prompt.payload;
  const offers = (decision: string) => answers === undefined || decision in answers;
  const answer = (decision: PromptAnswer['decision']) => onAnswer({ decision, ...messageOf(message) });
  const onApprove = () => onAnswer({ decision: 'approve', ...approval, ...messageOf(message) });
  useFormKeys({
    hasKeys: keys.hasKeys,
    ...(offers('approve') && !busy ? { onApprove } : {}),
    ...(keys.onEdit === undefined ? {} : { onEdit: keys.onEdit }),
    onReject: () => field.current?.focus(),
  });
  return (
    <>
      <MessageField
        label="Message to the agent (needed to ask for changes)"
        value={message}
        field={field}
        onChange={setMessage}
      />
      <div className="flex flex-wrap gap-2">
        {offers('approve') ? (
          <Button kind={keys.isSecond === true ? 'plain' : 'primary'} isBusy={busy} onClick={onApprove}>
            {approve}
          </Button>
        ) : null}
        {offers('approve') && onMerge !== undefined ? (
          <Button isBusy={busy} onClick={() => onMerge(message)}>
            Approve and merge
          </Button>
        ) : null}
        {offers('changes') ? (
          <Button isBusy={busy} disabled={message.trim() === ''} onClick={() => answer('changes')}>
            Ask for changes
          </Button>
        ) : null}
        {offers('reject') ? (
          <Button kind="danger" isBusy={busy} onClick={() => answer('reject')}>
            {reject ?? 'Reject'}
          </Button>
        ) : null}
      </div>
    </>
  );
}
