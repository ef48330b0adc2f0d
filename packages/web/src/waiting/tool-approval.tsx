import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { showControls } from '../ui/plain-text.ts';
import { MessageField, messageOf } from '../ui/message-field.tsx';
import { AllowAlways } from './allow-always.tsx';
import type { PromptFormProps } from './prompt-form.ts';

/** Exactly what would run, with nothing hidden or shortened. */
export function ToolApproval({ prompt, busy, onAnswer }: PromptFormProps<'tool_approval'>) {
  const [message, setMessage] = useState('');
  const { toolName, input, reason } = prompt.payload;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">
        The agent wants to use <strong className="font-semibold text-ink">{showControls(toolName)}</strong>
        {reason === undefined ? '' : `: ${showControls(reason)}`}
      </p>
      <dl className="flex flex-col gap-2">
        {Object.entries(input).map(([name, value]) => (
          <div key={name}>
            <dt className="text-[11px] text-faint">{showControls(name)}</dt>
            <dd className="max-h-80 overflow-auto rounded-md border border-line bg-well px-3 py-2 font-mono text-[13px] break-words whitespace-pre-wrap">
              {showControls(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}
            </dd>
          </div>
        ))}
      </dl>
      <AllowAlways prompt={prompt} busy={busy} onAnswer={onAnswer} />
      <MessageField label="Message to the agent when you deny (optional)" value={message} onChange={setMessage} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" disabled={busy} onClick={() => onAnswer({ decision: 'approve' })}>
          Allow once
        </Button>
        <Button kind="danger" disabled={busy} onClick={() => onAnswer({ decision: 'reject', ...messageOf(message) })}>
          Deny
        </Button>
      </div>
    </div>
  );
}
