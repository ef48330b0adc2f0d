import { offeredAnswers, type PromptOf } from '@attractor/api';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { showControls } from '../ui/plain-text.ts';
import { MessageField } from '../ui/message-field.tsx';
import type { PromptFormProps } from './prompt-form.ts';

type Question = { readonly id: string; readonly text: string; readonly suggestions: ReadonlyArray<string> };

/** Questions in words, with suggested answers if the agent gave some. */
export function QuestionForm({ prompt, busy, onAnswer }: PromptFormProps<'question' | 'options'>) {
  const questions = questionsOf(prompt);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const complete = questions.every(({ id }) => (texts[id] ?? '').trim() !== '');
  const answers = questions.map(({ id }) => ({ questionId: id, answer: (texts[id] ?? '').trim() }));
  return (
    <div className="flex flex-col gap-3">
      {questions.map(({ id, text, suggestions }) => (
        <div key={id}>
          <MessageField
            label={showControls(text)}
            value={texts[id] ?? ''}
            onChange={(value) => setTexts({ ...texts, [id]: value })}
          />
          <div className="mt-1.5 flex flex-wrap gap-1.5">
            {suggestions.map((suggestion) => (
              <Button key={suggestion} onClick={() => setTexts({ ...texts, [id]: suggestion })}>
                {showControls(suggestion)}
              </Button>
            ))}
          </div>
        </div>
      ))}
      <div>
        <Button kind="primary" disabled={busy || !complete} onClick={() => onAnswer({ decision: 'answer', answers })}>
          Answer
        </Button>
      </div>
    </div>
  );
}

function questionsOf(prompt: PromptOf<'question' | 'options'>): ReadonlyArray<Question> {
  if (prompt.type === 'options')
    return [
      { id: 'answer', text: prompt.title, suggestions: (prompt.payload.options ?? []).map(({ label }) => label) },
    ];
  const { questions = [], question = prompt.title } = prompt.payload;
  if (questions.length === 0) return [{ id: 'answer', text: question, suggestions: [] }];
  return questions.map((asked) => ({ id: asked.id, text: asked.question, suggestions: offeredAnswers(asked) }));
}
