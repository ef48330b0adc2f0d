import { pendingPrompts, type Prompt, type PromptAnswer, type TaskView } from '@attractor/api';
import { Hand } from 'lucide-react';
import { Fragment, Suspense } from 'react';
import { besideTitle, showControls } from '@attractor/api/shown';
import { useMay, whoMay } from '../data/role.tsx';
import { Loading, Refused } from '../ui/notice.tsx';
import { Ago } from '../ui/time.tsx';
import { AskedAbove } from './asked-above.tsx';
import type { PromptFormProps } from './prompt-form.ts';
import { PlanApproval } from './plan-approval.tsx';
import { useAnswering } from './use-answering.ts';
import { late } from '../data/late.ts';

/** Each is loaded where it is asked. */
const BudgetQuestion = late(() => import('./budget-question.tsx').then((part) => part.BudgetQuestion));
const QuestionForm = late(() => import('./question.tsx').then((part) => part.QuestionForm));
const ToolApproval = late(() => import('./tool-approval.tsx').then((part) => part.ToolApproval));
const OptionsForm = late(() => import('./options.tsx').then((part) => part.OptionsForm));
const ReviewForm = late(() => import('./review.tsx').then((part) => part.ReviewForm));
const WholeReview = late(() => import('./whole-review.tsx').then((part) => part.WholeReview));
const SplitForm = late(() => import('./split.tsx').then((part) => part.SplitForm));

function PromptForm({ prompt, ...rest }: PromptFormProps) {
  const { onMerge: _, withChange, ...plain } = rest;
  switch (prompt.type) {
    case 'plan_approval':
      return <PlanApproval prompt={prompt} {...plain} />;
    case 'tool_approval':
      return <ToolApproval prompt={prompt} {...plain} />;
    case 'question':
      return <QuestionForm prompt={prompt} {...plain} />;
    case 'options':
      return <OptionsForm prompt={prompt} {...plain} />;
    case 'split_proposal':
      return <SplitForm prompt={prompt} {...plain} />;
    case 'review':
      return withChange === true ? <WholeReview prompt={prompt} {...rest} /> : <ReviewForm prompt={prompt} {...rest} />;
    case 'budget':
      return <BudgetQuestion prompt={prompt} {...plain} />;
    case 'unknown':
      return (
        <p className="text-sm text-soft">This version can&apos;t show it: answer it with the version that asked.</p>
      );
  }
}

/** Everything that waits for a person, oldest first; `runId` limits it to one run. */
export function WaitingPanels({ task, runId }: { readonly task: TaskView; readonly runId?: string }) {
  const prompts = pendingPrompts(task).filter((prompt) => runId === undefined || prompt.runId === runId);
  const canMerge = task.artifacts.some(isOpenRequest);
  const changesPath = task.task === null ? '' : `/tasks/${task.task.key}?tab=changes`;
  return prompts.map((prompt) => {
    const title = besideTitle(prompt.title, task.task?.title ?? '');
    return (
      <Fragment key={prompt.id}>
        <WaitingPanel title={title} prompt={prompt} canMerge={canMerge} changesPath={changesPath} />
        <AskedAbove title={title} prompt={prompt} />
      </Fragment>
    );
  });
}

/** For the work as a whole. */
function isOpenRequest({ type, phaseId, metadata }: TaskView['artifacts'][number]): boolean {
  return type === 'pull_request' && phaseId === null && ['open', 'draft'].includes(String(metadata['state']));
}

type WaitingPanelProps = { readonly prompt: Prompt; readonly canMerge: boolean; readonly changesPath: string };

function WaitingPanel({ title, prompt, canMerge, changesPath }: WaitingPanelProps & { readonly title: string }) {
  return (
    <section
      aria-label="Waiting for you"
      tabIndex={-1}
      className="mt-4 scroll-mb-3 max-md:scroll-mb-16 overflow-hidden rounded-lg border border-wait bg-panel"
    >
      <h2 className="flex items-start gap-2 bg-wait-well px-4 py-2.5 text-sm font-semibold text-wait">
        <Hand size={15} aria-hidden className="mt-0.5 shrink-0" />
        <span className="min-w-0 break-words">{showControls(title)}</span>
        <span className="ml-auto shrink-0 font-normal">
          asked <Ago at={prompt.createdAt} />
        </span>
      </h2>
      <div className="px-4 py-3">
        <PromptAnswerForm prompt={prompt} canMerge={canMerge} changesPath={changesPath} />
      </div>
    </section>
  );
}

type PromptAnswerFormProps = WaitingPanelProps & {
  readonly hasKeys?: boolean;
  /** A review shows its change. */
  readonly withChange?: boolean;
  /** After the server has taken the answer. */
  readonly onAnswered?: () => void;
};

/** The whole of what is asked, and the way to answer it. */
export function PromptAnswerForm({
  prompt,
  canMerge,
  changesPath,
  hasKeys = false,
  withChange = false,
  onAnswered,
}: PromptAnswerFormProps) {
  const { busy, error, answer, merge } = useAnswering(prompt, onAnswered);
  const may = useMay('operator');
  const isChange = withChange && prompt.type === 'review';
  const refused = <Refused error={error} />;
  return (
    <>
      {may ? null : <p className="mb-2 text-sm text-faint">{whoMay('operator', 'answer this')}</p>}
      {/* Without the right to answer it is still read whole. */}
      <fieldset disabled={!may} className="min-w-0">
        <Suspense fallback={<Loading lines={3} />}>
          <PromptForm
            prompt={prompt}
            busy={busy}
            hasKeys={hasKeys && may}
            changesPath={changesPath}
            {...(isChange ? { withChange, refused } : {})}
            onAnswer={(given: PromptAnswer) => void answer(given)}
            {...(canMerge ? { onMerge: (message: string) => void merge(message) } : {})}
          />
        </Suspense>
      </fieldset>
      {isChange ? null : <div className="mt-2 empty:hidden">{refused}</div>}
    </>
  );
}
