import type { PromptAnswer } from '@attractor/api';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { MessageField, messageOf } from '../ui/message-field.tsx';
import type { PromptFormProps } from './prompt-form.ts';

type DecisionsProps = PromptFormProps<'plan_approval' | 'review' | 'split_proposal'> & {
  readonly approve: string;
  readonly reject?: string;
  /** What goes along with an approval. */
  readonly approval?: Pick<PromptAnswer, 'only' | 'plan'>;
};

/** Approve, ask for changes with a message, or reject: only those for which the pipeline has a transition. */
export function Decisions({ prompt, busy, onAnswer, onMerge, approve, reject, approval }: DecisionsProps) {
  const [message, setMessage] = useState('');
  const { answers } = prompt.payload;
  const offers = (decision: string) => answers === undefined || decision in answers;
  const answer = (decision: PromptAnswer['decision']) => onAnswer({ decision, ...messageOf(message) });
  return (
    <>
      <MessageField label="Message to the agent (needed to ask for changes)" value={message} onChange={setMessage} />
      <div className="flex flex-wrap gap-2">
        {offers('approve') ? (
          <Button
            kind="primary"
            disabled={busy}
            onClick={() => onAnswer({ decision: 'approve', ...approval, ...messageOf(message) })}
          >
            {approve}
          </Button>
        ) : null}
        {offers('approve') && onMerge !== undefined ? (
          <Button disabled={busy} onClick={() => onMerge(message)}>
            Approve and merge
          </Button>
        ) : null}
        {offers('changes') ? (
          <Button disabled={busy || message.trim() === ''} onClick={() => answer('changes')}>
            Ask for changes
          </Button>
        ) : null}
        {offers('reject') ? (
          <Button kind="danger" disabled={busy} onClick={() => answer('reject')}>
            {reject ?? 'Reject'}
          </Button>
        ) : null}
      </div>
    </>
  );
}
