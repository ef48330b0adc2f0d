import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { showControls } from '../ui/plain-text.ts';
import { MessageField, messageOf } from '../ui/message-field.tsx';
import type { PromptFormProps } from './waiting-panel.tsx';

/** The work is on a branch: accept it, or say what is missing. Only decisions that the pipeline knows are offered. */
export function ReviewForm({ prompt, busy, onAnswer }: PromptFormProps) {
  const [message, setMessage] = useState('');
  const { branch, answers } = prompt.payload;
  const offers = (decision: string) => typeof answers !== 'object' || answers === null || decision in answers;
  return (
    <div className="flex flex-col gap-3">
      {typeof branch === 'string' ? (
        <p>
          The work is on branch <code className="font-mono text-[13px]">{showControls(branch)}</code>. Checks and
          artifacts are below.
        </p>
      ) : null}
      <MessageField label="Message to the agent (needed to ask for changes)" value={message} onChange={setMessage} />
      <div className="flex flex-wrap gap-2">
        {offers('approve') ? (
          <Button
            kind="primary"
            disabled={busy}
            onClick={() => onAnswer({ decision: 'approve', ...messageOf(message) })}
          >
            Approve
          </Button>
        ) : null}
        {offers('changes') ? (
          <Button
            disabled={busy || message.trim() === ''}
            onClick={() => onAnswer({ decision: 'changes', ...messageOf(message) })}
          >
            Ask for changes
          </Button>
        ) : null}
        {offers('reject') ? (
          <Button kind="danger" disabled={busy} onClick={() => onAnswer({ decision: 'reject', ...messageOf(message) })}>
            Reject
          </Button>
        ) : null}
      </div>
    </div>
  );
}
