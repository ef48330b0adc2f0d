import type { InboxItem } from '@attractor/api';
import { ArrowLeft, ExternalLink } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import { NextSteps } from '../../run/next-steps.tsx';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { showControls, typeset } from '@attractor/api/shown';
import { StatusBadge, stateStatus } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { PromptAnswerForm } from '../../waiting/waiting-panel.tsx';

type InboxDetailProps = { readonly item: InboxItem; readonly onBack: () => void; readonly onAnswered: () => void };

/** All that is needed to answer: nothing has to be looked up elsewhere. */
export function InboxDetail({ item, onBack, onAnswered }: InboxDetailProps) {
  const { task, state, prompt, project } = item;
  const pane = useRef<HTMLElement>(null);
  useBeginAtTop(pane);
  return (
    <article
      ref={pane}
      aria-label={showControls(task.title)}
      className="scroll-mt-17 rounded-lg border border-line bg-panel"
    >
      <header className="border-b border-line px-4 py-3">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-faint">
          <Button kind="quiet" className="-ml-3 lg:hidden" onClick={onBack}>
            <ArrowLeft size={15} aria-hidden /> All
          </Button>
          <Link
            href={`/tasks/${task.key}`}
            className="inline-flex min-h-link items-center gap-1 underline underline-offset-2 hover:text-ink"
          >
            {task.key} <ExternalLink size={12} aria-hidden />
          </Link>
          <span>{showControls(project)}</span>
          <span>
            {prompt === null ? '' : 'asked '}
            <Ago at={state.since} />
          </span>
        </p>
        <h2 className="mt-1 text-lg font-semibold tracking-tight break-words">
          <bdi>{showControls(task.title)}</bdi>
        </h2>
        <div className="mt-2">
          <StatusBadge status={stateStatus(state)} label={typeset(state.label)} />
        </div>
      </header>
      <div className="px-4 py-4">
        {prompt === null ? (
          <Standing item={item} onTaken={onAnswered} />
        ) : (
          <PromptAnswerForm
            prompt={prompt}
            hasKeys
            withChange
            canMerge={state.steps.some(({ id }) => id === 'approve_and_merge')}
            changesPath={`/tasks/${task.key}?tab=changes`}
            onAnswered={onAnswered}
          />
        )}
      </div>
    </article>
  );
}

/** Whoever was far down in what was shown before is led to the beginning of this. */
function useBeginAtTop(pane: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if ((pane.current?.getBoundingClientRect().top ?? 0) < 0) pane.current?.scrollIntoView({ block: 'start' });
  }, [pane]);
}

/** A task that waits without a question: why, and every way on. */
function Standing({
  item: { text, branch, state },
  onTaken,
}: {
  readonly item: InboxItem;
  readonly onTaken: () => void;
}) {
  return (
    <div className="flex flex-col gap-4">
      {text === '' ? null : (
        <div className="rounded-md border border-line bg-well px-4 py-3">
          <Markdown text={text} />
        </div>
      )}
      {branch === null ? null : (
        <p className="text-sm">
          The work is on branch <code className="font-mono">{showControls(branch)}</code>.
        </p>
      )}
      <NextSteps state={state} onTaken={onTaken} />
    </div>
  );
}
