import type { Prompt, TaskView } from '@attractor/api';
import { useState, useSyncExternalStore } from 'react';
import { besideTitle, showControls, whoDid } from '@attractor/api/shown';
import { listen } from '../data/kept.ts';
import { Button } from '../ui/button.tsx';
import { forgetPromptDrafts, leftDraft } from './prompt-drafts.ts';

type AnsweredMeanwhileProps = { readonly task: TaskView; readonly prompt: Prompt };

/** Somebody else was faster: who, and what was written here until then. */
export function AnsweredMeanwhile({ task, prompt }: AnsweredMeanwhileProps) {
  const [isOver, end] = useState(false);
  // Another window of the same person may have sent it: then it is not left over.
  const text = useSyncExternalStore(listen, () => leftDraft(prompt.id));
  if (isOver || text === '') return null;
  const by = task.answeredBy[prompt.id];
  const who = by === undefined ? 'Somebody else' : whoDid(by);
  const title = besideTitle(prompt.title, task.task?.title ?? '');
  const isAnswered = prompt.status === 'answered';
  const what = isAnswered ? `${who} has already answered “${title}”.` : `“${title}” no longer waits for an answer.`;
  const discard = () => {
    forgetPromptDrafts(prompt.id);
    end(true);
  };
  return (
    <section aria-label="Answered meanwhile" className="mt-4 rounded-lg border border-edge bg-panel px-4 py-3 text-sm">
      <h2 className="font-semibold">{showControls(`${what} What you wrote is kept:`)}</h2>
      <pre className="mt-2 max-h-60 overflow-auto rounded-md bg-well px-3 py-2 font-mono whitespace-pre-wrap">
        {showControls(text)}
      </pre>
      <div className="mt-2 flex gap-2">
        <Button onClick={() => void navigator.clipboard.writeText(text)}>Copy</Button>
        <Button kind="quiet" onClick={discard}>
          Discard
        </Button>
      </div>
    </section>
  );
}
