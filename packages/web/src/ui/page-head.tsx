import type { ReactNode } from 'react';
import { usePageTitle } from './use-page-title.ts';

type PageHeadProps = { readonly title: string; readonly about?: ReactNode; readonly children?: ReactNode };

/** What a place is called, and what can be done with all of it. */
export function PageHead({ title, about, children }: PageHeadProps) {
  usePageTitle(title);
  return (
    <div className="mb-4 flex flex-wrap md:min-h-control items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 wrap-anywhere">
        <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
        {about === undefined ? null : <div className="text-sm text-soft">{about}</div>}
      </div>
      <div className="flex flex-wrap items-center gap-2 empty:hidden">{children}</div>
    </div>
  );
}
