import type { Failure } from '@attractor/api';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from './button.tsx';
import { typeset } from '@attractor/api/shown';

/** Nothing to show, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-edge px-6 py-10 text-center">
      <p className="font-medium wrap-anywhere">{title}</p>
      {children === undefined ? null : (
        <div className="mx-auto mt-1.5 max-w-[60ch] text-sm wrap-anywhere text-soft">{children}</div>
      )}
    </div>
  );
}

type LoadFailedProps = {
  readonly error: Failure;
  readonly again?: () => void;
  /** What failed stands over it. */
  readonly isNamed?: boolean;
};

export function whatFailed({ code }: Failure): string {
  return code === 'not_found' ? 'Not found' : 'This could not be loaded';
}

export function LoadFailed({ error, again = reload, isNamed = false }: LoadFailedProps) {
  // Nothing broke.
  const isMissing = error.code === 'not_found';
  return (
    <div
      role="alert"
      className={`rounded-lg border px-4 py-3 text-sm ${isMissing ? 'border-line bg-panel' : 'border-bad bg-bad-well'}`}
    >
      {isNamed ? null : <p className={`mb-1 font-medium ${isMissing ? '' : 'text-bad'}`}>{whatFailed(error)}</p>}
      <p className="wrap-anywhere">{typeset(error.message)}</p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button onClick={again}>Try again</Button>
        {isMissing ? (
          <Link href="/" className="tap underline underline-offset-2">
            Go to the inbox
          </Link>
        ) : null}
      </div>
    </div>
  );
}

function reload(): void {
  location.reload();
}

/** Why a command was refused; it stays until the next try. */
export function Refused({ error }: { readonly error: Failure | null }) {
  if (error === null) return null;
  return (
    <p role="alert" className="col-span-full text-sm wrap-anywhere text-bad">
      {typeset(error.message)}
    </p>
  );
}

/** Stands for lines that are on their way. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div role="status" aria-label="Loading" className="late flex flex-col gap-3 py-2">
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={`skeleton h-5 ${WIDTHS[line % WIDTHS.length] ?? ''}`} />
      ))}
    </div>
  );
}

const WIDTHS = ['w-2/3', 'w-full', 'w-5/6', 'w-1/2'];
