import type { TaskDiff } from '@attractor/api';
import type { ReactNode } from 'react';
import { counted, showControls } from '@attractor/api/shown';

type ChangeFactsProps = { readonly diff: TaskDiff; readonly seen: number; readonly children?: ReactNode };

/** How much changed, where, and how much of it was looked at. */
export function ChangeFacts({ diff, seen, children }: ChangeFactsProps) {
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 text-sm text-soft md:flex-nowrap">
      <span className="min-w-0 md:truncate" title={showControls(diff.branch)}>
        {counted(diff.filesChanged, 'file')}, <span className="text-good">+{diff.additions}</span>{' '}
        <span className="text-bad">−{diff.deletions}</span> on{' '}
        <code className="font-mono wrap-anywhere">{showControls(diff.branch)}</code>
      </span>
      <span className="shrink-0">
        {seen} of {diff.files.length} viewed
      </span>
      {children}
    </div>
  );
}
