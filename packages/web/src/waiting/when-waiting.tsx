import { pendingPrompts, type Prompt, type TaskView } from '@attractor/api';
import { Suspense } from 'react';
import { Loading } from '../ui/notice.tsx';
import { leftDraft } from './prompt-drafts.ts';
import { late } from '../data/late.ts';

const WaitingPanels = late(() => import('./waiting-panel.tsx').then((part) => part.WaitingPanels));
const AnsweredMeanwhile = late(() => import('./answered-meanwhile.tsx').then((part) => part.AnsweredMeanwhile));

type WhenWaitingProps = { readonly task: TaskView; readonly runId?: string };

/** What waits for a person on a task, or on one of its runs. The forms are loaded only then: most tasks ask nothing. */
export function WhenWaiting({ task, runId }: WhenWaitingProps) {
  const isHere = (prompt: Prompt) => runId === undefined || prompt.runId === runId;
  const beaten = task.prompts.filter(({ id, status }) => status !== 'pending' && leftDraft(id) !== '').filter(isHere);
  return (
    <Suspense fallback={<Loading lines={3} />}>
      {beaten.map((prompt) => (
        <AnsweredMeanwhile key={prompt.id} task={task} prompt={prompt} />
      ))}
      {pendingPrompts(task).some(isHere) ? (
        <WaitingPanels task={task} {...(runId === undefined ? {} : { runId })} />
      ) : null}
    </Suspense>
  );
}
