import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { showControls } from '../ui/plain-text.ts';
import { MessageField } from '../ui/message-field.tsx';
import type { PromptFormProps } from './prompt-form.ts';

type Question = { readonly id: string; readonly text: string; readonly suggestions: ReadonlyArray<string> };

/** Questions in words, with suggested answers where the agent gave some. */
export function QuestionForm({ prompt, busy, onAnswer }: PromptFormProps) {
  const questions = questionsOf(prompt.payload, prompt.title);
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

function questionsOf(payload: Readonly<Record<string, unknown>>, title: string): ReadonlyArray<Question> {
  const listed = Array.isArray(payload.questions) ? payload.questions.map(toQuestion) : [];
  if (listed.length > 0) return listed;
  const options = Array.isArray(payload.options) ? payload.options : [];
  const text = typeof payload.question === 'string' ? payload.question : title;
  return [{ id: 'answer', text, suggestions: options.map(wordsOf) }];
}

function toQuestion(value: unknown, index: number): Question {
  const fields: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  const options = fields.options ?? fields.suggestions;
  return {
    id: typeof fields.id === 'string' ? fields.id : `q${index + 1}`,
    text: wordsOf(fields.question ?? fields.text ?? value),
    suggestions: Array.isArray(options) ? options.map(wordsOf) : [],
  };
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const named = [fields.label, fields.title, fields.name, fields.text].find((text) => typeof text === 'string');
  return typeof named === 'string' ? named : JSON.stringify(value);
}
