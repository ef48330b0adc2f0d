import { pendingPrompts, type TaskView } from '@attractor/api';
import { lazy, Suspense } from 'react';
import { Loading } from '../ui/notice.tsx';

const WaitingPanels = lazy(() => import('./waiting-panel.tsx').then((part) => ({ default: part.WaitingPanels })));

type WhenWaitingProps = { readonly task: TaskView; readonly runId?: string };

/** What waits for a person on a task, or on one of its runs. The forms are loaded only then: most tasks ask nothing. */
export function WhenWaiting({ task, runId }: WhenWaitingProps) {
  if (!pendingPrompts(task).some((prompt) => runId === undefined || prompt.runId === runId)) return null;
  return (
    <Suspense fallback={<Loading lines={3} />}>
      <WaitingPanels task={task} {...(runId === undefined ? {} : { runId })} />
    </Suspense>
  );
}
