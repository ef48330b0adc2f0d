import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { MessageField, messageOf } from '../ui/message-field.tsx';
import { showControls } from '../ui/plain-text.ts';
import type { PromptFormProps } from './prompt-form.ts';

/** What was spent, and by how much the budget grows if the agent continues. */
export function BudgetQuestion({ prompt, busy, onAnswer }: PromptFormProps<'budget'>) {
  const [message, setMessage] = useState('');
  const { spent = 'unknown', raiseUsd, raiseTokens } = prompt.payload;
  const money = typeof raiseUsd === 'number' ? [`$${raiseUsd.toFixed(2)}`] : [];
  const tokens = typeof raiseTokens === 'number' ? [`${raiseTokens} tokens`] : [];
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">Spent: {showControls(spent)}. The agent waits.</p>
      <MessageField label="Why not, if you end it (optional)" value={message} onChange={setMessage} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" disabled={busy} onClick={() => onAnswer({ decision: 'approve' })}>
          Go on with {[...money, ...tokens].join(' and ')} more
        </Button>
        <Button kind="danger" disabled={busy} onClick={() => onAnswer({ decision: 'reject', ...messageOf(message) })}>
          End the run
        </Button>
      </div>
    </div>
  );
}
