import type { TaskDiff } from '@attractor/api';
import { FileDiff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../data/answers.ts';
import { api } from '../data/api.ts';
import { useMay } from '../data/role.tsx';
import { useAfterLog } from '../data/use-after-log.ts';
import { FileTree } from '../diff/file-tree.tsx';
import { ReviewFiles } from '../diff/review-files.tsx';
import { useViewed } from '../diff/viewed.ts';
import { counted } from '@attractor/api/shown';
import { Button, buttonClass } from '../ui/button.tsx';
import { Loading, LoadFailed } from '../ui/notice.tsx';
import { markOpened, useOpened } from './opened-change.ts';
import type { PromptFormProps } from './prompt-form.ts';
import { PlanAndWork, Work } from './review.tsx';
import { ReviewDecision } from './review-decision.tsx';

/** A review with all that is reviewed: what changed, file by file, and under it the decision. */
export function WholeReview({ refused, onMerge, ...form }: PromptFormProps<'review'>) {
  const { prompt, changesPath } = form;
  const { taskId } = prompt;
  useAfterLog(['diff', taskId]);
  const diff = useAnswer(['diff', taskId], () => api.branches.diff(taskId));
  const viewed = useViewed(taskId);
  const isOpened = useOpened(taskId);
  const files = diff.state === 'ready' ? diff.value.files : [];
  const left = files.length - viewed.seenOf(files);
  return (
    <div className="flex flex-col gap-3">
      <Work prompt={prompt} />
      <PlanAndWork prompt={prompt} />
      {diff.state === 'loading' ? <Loading lines={8} /> : null}
      {diff.state === 'failed' ? <LoadFailed error={diff.error} again={diff.again} /> : null}
      {diff.state === 'ready' ? (
        <Change taskId={taskId} diff={diff.value} viewed={viewed} {...(changesPath && { path: changesPath })} />
      ) : null}
      <ReviewDecision
        {...form}
        left={isOpened ? left : null}
        isSecond={!isOpened && files.length > 0}
        refused={refused}
        {...(prompt.payload.part === true || onMerge === undefined ? {} : { onMerge })}
      />
    </div>
  );
}

type ChangeProps = {
  readonly taskId: string;
  readonly diff: TaskDiff;
  readonly viewed: ReturnType<typeof useViewed>;
  readonly path?: string;
};

function Change({ taskId, diff, viewed, path }: ChangeProps) {
  const isOpened = useOpened(taskId);
  const area = useRef<HTMLDivElement>(null);
  useOpenedByScroll(area, taskId);
  const begin = () => {
    markOpened(taskId);
    const next = diff.files.findIndex((file) => !viewed.isViewed(file));
    const part = area.current?.querySelectorAll<HTMLElement>('[data-file]')[Math.max(0, next)];
    part?.scrollIntoView({ block: 'start' });
    part?.focus({ preventScroll: true });
  };
  const open = () => markOpened(taskId);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 text-sm text-soft">
        <Button kind={isOpened ? 'plain' : 'primary'} onClick={begin}>
          <FileDiff size={15} aria-hidden />
          Review {counted(diff.files.length, 'file')}
        </Button>
        <span>
          {viewed.seenOf(diff.files)} of {diff.files.length} viewed
        </span>
        {path === undefined ? null : (
          <Link href={path} className={`${buttonClass('quiet')} md:ml-auto`}>
            Open on its own page
          </Link>
        )}
      </div>
      <FileTree files={diff.files} isViewed={viewed.isViewed} isFlat className="max-h-60 overflow-y-auto" />
      <div ref={area} className="[&_[data-file]]:scroll-mt-16!" onPointerDown={open} onFocus={open}>
        <ReviewFiles taskId={taskId} diff={diff} layout="unified" viewed={viewed} mayComment={useMay('operator')} />
      </div>
    </>
  );
}

/** A change that came into the upper part of the window was opened: whoever only chose the review has not seen it. */
function useOpenedByScroll(area: { readonly current: HTMLElement | null }, taskId: string): void {
  useEffect(() => {
    if (area.current === null) return undefined;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && markOpened(taskId), {
      rootMargin: '0px 0px -70% 0px',
    });
    watch.observe(area.current);
    return () => watch.disconnect();
  }, [area, taskId]);
}
