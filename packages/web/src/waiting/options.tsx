import { useId, useState } from 'react';
import { useDraft } from '../data/draft.ts';
import { Button } from '../ui/button.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { MessageField, messageOf } from '../ui/message-field.tsx';
import { showControls } from '@attractor/api/shown';
import type { PromptFormProps } from './prompt-form.ts';
import { useFormKeys } from './use-form-keys.ts';

/** Ways to go on, each with what speaks for and against it; the recommended one is chosen to begin with. */
export function OptionsForm({ prompt, busy, onAnswer, hasKeys }: PromptFormProps<'options'>) {
  const { summary = '', options = [] } = prompt.payload;
  const [chosen, setChosen] = useState(options.find(({ recommended }) => recommended === true)?.id ?? '');
  const [message, setMessage] = useDraft(prompt.id);
  const group = useId();
  const isChosen = chosen !== '' || message.trim() !== '';
  const send = () =>
    onAnswer({
      decision: 'answer',
      ...(chosen === '' ? {} : { answers: [{ questionId: 'option', answer: chosen }] }),
      ...messageOf(message),
    });
  useFormKeys({ hasKeys, ...(isChosen && !busy ? { onApprove: send } : {}) });
  return (
    <div className="flex flex-col gap-3">
      {summary === '' ? null : <Markdown text={summary} />}
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="sr-only">{showControls(prompt.title)}</legend>
        {options.map((option) => (
          <label
            key={option.id}
            className={`flex cursor-pointer gap-3 rounded-md border bg-panel px-4 py-3 ${chosen === option.id ? 'border-ink' : 'border-line hover:border-edge'}`}
          >
            <input
              type="radio"
              name={group}
              className="mt-1 size-4 shrink-0"
              checked={chosen === option.id}
              onChange={() => setChosen(option.id)}
            />
            <span className="flex min-w-0 flex-col gap-1 wrap-anywhere">
              <span className="font-medium">
                {showControls(option.label)}
                {option.recommended === true ? <span className="ml-2 text-sm text-good">recommended</span> : null}
              </span>
              <span className="text-sm text-soft">{showControls(option.description)}</span>
              {option.tradeoffs === undefined ? null : (
                <span className="text-sm text-faint">Trade-offs: {showControls(option.tradeoffs)}</span>
              )}
            </span>
          </label>
        ))}
      </fieldset>
      <MessageField label="In your own words (optional)" value={message} onChange={setMessage} />
      <div>
        <Button kind="primary" isBusy={busy} disabled={!isChosen} onClick={send}>
          Choose
        </Button>
      </div>
    </div>
  );
}
