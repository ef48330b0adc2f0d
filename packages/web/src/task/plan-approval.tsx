import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { MessageField, messageOf } from '../ui/message-field.tsx';
import type { PromptFormProps } from './waiting-panel.tsx';

/** The plan as it will be carried out; changes need a word on what to change. */
export function PlanApproval({ prompt, busy, onAnswer }: PromptFormProps) {
  const [message, setMessage] = useState('');
  const { plan } = prompt.payload;
  const said = message.trim() !== '';
  return (
    <div className="flex flex-col gap-3">
      <div className="max-h-[28rem] overflow-y-auto rounded-md border border-line px-4 py-3">
        <Markdown text={typeof plan === 'string' ? plan : 'The plan is empty.'} />
      </div>
      <MessageField label="Message to the agent (needed to ask for changes)" value={message} onChange={setMessage} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" disabled={busy} onClick={() => onAnswer({ decision: 'approve', ...messageOf(message) })}>
          Approve plan
        </Button>
        <Button disabled={busy || !said} onClick={() => onAnswer({ decision: 'changes', ...messageOf(message) })}>
          Ask for changes
        </Button>
        <Button kind="danger" disabled={busy} onClick={() => onAnswer({ decision: 'reject', ...messageOf(message) })}>
          Reject
        </Button>
      </div>
    </div>
  );
}
