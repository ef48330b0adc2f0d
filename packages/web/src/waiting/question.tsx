import { useDraft } from '../data/draft.ts';
import { Button } from '../ui/button.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { type Asked, questionsOf, readAnswers, showControls } from '@attractor/api/shown';
import type { PromptFormProps } from './prompt-form.ts';
import { useFormKeys } from './use-form-keys.ts';

/** Questions in words, with suggested answers if the agent gave some. */
export function QuestionForm({ prompt, busy, onAnswer, hasKeys }: PromptFormProps<'question'>) {
  const questions = questionsOf(prompt);
  const [kept, keep] = useDraft(prompt.id);
  const texts = readAnswers(kept);
  const set = (id: string, text: string) => keep(JSON.stringify({ ...texts, [id]: text }));
  const complete = questions.every(({ id }) => (texts[id] ?? '').trim() !== '');
  const answers = questions.map(({ id }) => ({ questionId: id, answer: (texts[id] ?? '').trim() }));
  const send = () => onAnswer({ decision: 'answer', answers });
  const suggest = () =>
    keep(
      JSON.stringify(
        Object.fromEntries(questions.map(({ id, offered }) => [id, texts[id] ?? offered[0] ?? ''] as const)),
      ),
    );
  useFormKeys({ hasKeys, onApprove: complete && !busy ? send : suggest });
  return (
    <div className="flex flex-col gap-4">
      {questions.map((asked) => (
        <OneQuestion
          key={asked.id}
          asked={asked}
          text={texts[asked.id] ?? ''}
          onChange={(text) => set(asked.id, text)}
        />
      ))}
      <div>
        <Button kind="primary" isBusy={busy} disabled={!complete} onClick={send}>
          Answer
        </Button>
      </div>
    </div>
  );
}

type OneQuestionProps = { readonly asked: Asked; readonly text: string; readonly onChange: (text: string) => void };

function OneQuestion({
  asked: { text: question, context, offered, isChoice, isYesNo },
  text,
  onChange,
}: OneQuestionProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-base font-medium wrap-anywhere">{showControls(question)}</legend>
      {context === '' ? null : <p className="text-sm text-soft">{showControls(context)}</p>}
      <div className="flex flex-wrap gap-1.5">
        {offered.map((answer, at) => (
          <Button
            key={answer}
            isLong
            aria-pressed={text === answer}
            className={text === answer ? 'border-ink' : ''}
            onClick={() => onChange(answer)}
          >
            {showControls(isYesNo ? `${answer.charAt(0).toUpperCase()}${answer.slice(1)}` : answer)}
            {at === 0 && !isChoice ? <span className="shrink-0 font-normal text-faint">suggested</span> : null}
          </Button>
        ))}
      </div>
      {isChoice ? null : <MessageField label="Your answer" value={text} onChange={onChange} />}
    </fieldset>
  );
}
