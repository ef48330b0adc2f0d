import { useRef } from 'react';
import { useDraft } from '../data/draft.ts';
import { Button } from '../ui/button.tsx';
import { MessageField, messageOf } from '../ui/message-field.tsx';
import { showControls, showCost } from '@attractor/api/shown';
import type { PromptFormProps } from './prompt-form.ts';
import { useFormKeys } from './use-form-keys.ts';

/** What was spent, and by how much the budget grows if the agent continues. */
export function BudgetQuestion({ prompt, busy, onAnswer, hasKeys }: PromptFormProps<'budget'>) {
  const [message, setMessage] = useDraft(prompt.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const { spent = 'unknown', raiseUsd, raiseTokens, raisedTo } = prompt.payload;
  const money = typeof raiseUsd === 'number' ? [showCost(raiseUsd)] : [];
  const tokens = typeof raiseTokens === 'number' ? [`${raiseTokens.toLocaleString('en')} tokens`] : [];
  const onApprove = () => onAnswer({ decision: 'approve' });
  useFormKeys({ hasKeys, ...(busy ? {} : { onApprove }), onReject: () => field.current?.focus() });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-soft">
        Spent: {showControls(spent)}. The agent waits.
        {raisedTo === undefined ? '' : ` With more, the limit is ${raisedTo}.`}
      </p>
      <MessageField label="Why not, if you end it (optional)" value={message} field={field} onChange={setMessage} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" isBusy={busy} onClick={onApprove}>
          Go on with {[...money, ...tokens].join(' and ')} more
        </Button>
        <Button kind="danger" isBusy={busy} onClick={() => onAnswer({ decision: 'reject', ...messageOf(message) })}>
          End the run
        </Button>
      </div>
    </div>
  );
}
