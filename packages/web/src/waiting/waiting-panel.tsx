import { pendingPrompts, type Prompt, type PromptAnswer, type TaskView } from '@attractor/api';
import { Hand } from 'lucide-react';
import { api } from '../api.ts';
import { showControls } from '../ui/plain-text.ts';
import { Refused } from '../ui/notice.tsx';
import { messageOf } from '../ui/message-field.tsx';
import { Ago } from '../ui/time.tsx';
import { useCommand } from '../ui/use-command.ts';
import type { PromptFormProps } from './prompt-form.ts';
import { BudgetQuestion } from './budget-question.tsx';
import { PlanApproval } from './plan-approval.tsx';
import { QuestionForm } from './question.tsx';
import { ReviewForm } from './review.tsx';
import { SplitForm } from './split.tsx';
import { ToolApproval } from './tool-approval.tsx';

function PromptForm({ prompt, ...rest }: PromptFormProps) {
  switch (prompt.type) {
    case 'plan_approval':
      return <PlanApproval prompt={prompt} busy={rest.busy} onAnswer={rest.onAnswer} />;
    case 'tool_approval':
      return <ToolApproval prompt={prompt} {...rest} />;
    case 'question':
    case 'options':
      return <QuestionForm prompt={prompt} {...rest} />;
    case 'split_proposal':
      return <SplitForm prompt={prompt} busy={rest.busy} onAnswer={rest.onAnswer} />;
    case 'review':
      return <ReviewForm prompt={prompt} {...rest} />;
    case 'budget':
      return <BudgetQuestion prompt={prompt} {...rest} />;
    case 'unknown':
      return <p className="text-soft">This version can&apos;t show it: answer it with the version that asked.</p>;
  }
}

/** Everything that waits for a person, oldest first; `runId` limits it to one run. */
export function WaitingPanels({ task, runId }: { readonly task: TaskView; readonly runId?: string }) {
  const prompts = pendingPrompts(task).filter((prompt) => runId === undefined || prompt.runId === runId);
  const canMerge = task.artifacts.some(isOpenRequest);
  return prompts.map((prompt) => <WaitingPanel key={prompt.id} prompt={prompt} canMerge={canMerge} />);
}

/** For the work as a whole. */
function isOpenRequest({ type, phaseId, metadata }: TaskView['artifacts'][number]): boolean {
  return type === 'pull_request' && phaseId === null && ['open', 'draft'].includes(String(metadata['state']));
}

function WaitingPanel({ prompt, canMerge }: { readonly prompt: Prompt; readonly canMerge: boolean }) {
  const { busy, error, run } = useCommand();
  const merge = (message: string) =>
    void run(() =>
      api.branches.approve(prompt.taskId, { merge: true, contentHash: prompt.contentHash, ...messageOf(message) }),
    );
  const answer = (given: PromptAnswer) =>
    void run(() => api.prompts.answer(prompt.id, { contentHash: prompt.contentHash, answer: given }));
  return (
    <section aria-label="Waiting for you" className="mt-4 overflow-hidden rounded-lg border border-wait bg-panel">
      <h2 className="flex flex-wrap items-center gap-2 bg-wait-well px-4 py-2 text-[13px] font-semibold text-wait">
        <Hand size={15} aria-hidden />
        {showControls(prompt.title)}
        <span className="ml-auto font-normal">
          asked <Ago at={prompt.createdAt} />
        </span>
      </h2>
      <div className="px-4 py-3">
        <PromptForm prompt={prompt} busy={busy} onAnswer={answer} {...(canMerge ? { onMerge: merge } : {})} />
        <Refused error={error} />
      </div>
    </section>
  );
}
