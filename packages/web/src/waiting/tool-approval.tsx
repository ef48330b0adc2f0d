import { useRef } from 'react';
import { useDraft } from '../data/draft.ts';
import { Button } from '../ui/button.tsx';
import { MessageField, messageOf } from '../ui/message-field.tsx';
import { showControls } from '@attractor/api/shown';
import { AllowAlways } from './allow-always.tsx';
import type { PromptFormProps } from './prompt-form.ts';
import { useFormKeys } from './use-form-keys.ts';

/** Exactly what would run, with nothing hidden or shortened. */
export function ToolApproval({ prompt, busy, onAnswer, hasKeys }: PromptFormProps<'tool_approval'>) {
  const [message, setMessage] = useDraft(prompt.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const { toolName, input, reason } = prompt.payload;
  const onApprove = () => onAnswer({ decision: 'approve' });
  useFormKeys({ hasKeys, ...(busy ? {} : { onApprove }), onReject: () => field.current?.focus() });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-soft">
        The agent wants to use <strong className="font-semibold text-ink">{showControls(toolName)}</strong>
        {reason === undefined ? '' : `: ${showControls(reason)}`}
      </p>
      <dl className="flex flex-col gap-2">
        {Object.entries(input).map(([name, value]) => (
          <div key={name}>
            <dt className="font-mono text-sm text-faint">{showControls(name)}</dt>
            <dd
              tabIndex={0}
              className="max-h-80 overflow-auto rounded-md border border-line bg-well px-3 py-2 font-mono text-sm break-words whitespace-pre-wrap"
            >
              {showControls(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}
            </dd>
          </div>
        ))}
      </dl>
      <AllowAlways prompt={prompt} busy={busy} onAnswer={onAnswer} />
      <MessageField
        label="Message to the agent when you deny (optional)"
        value={message}
        field={field}
        onChange={setMessage}
      />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" isBusy={busy} onClick={onApprove}>
          Allow once
        </Button>
        <Button kind="danger" isBusy={busy} onClick={() => onAnswer({ decision: 'reject', ...messageOf(message) })}>
          Deny
        </Button>
      </div>
    </div>
  );
}
