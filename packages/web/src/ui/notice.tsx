import type { Failure } from '@attractor/api';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { showControls } from './plain-text.ts';

/** Nothing to show, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-edge px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children === undefined ? null : <div className="mx-auto mt-1.5 max-w-[60ch] text-soft">{children}</div>}
    </div>
  );
}

export function LoadFailed({ error }: { readonly error: Failure }) {
  return (
    <div role="alert" className="rounded-lg border border-bad bg-bad-well px-4 py-3">
      <p className="font-medium text-bad">{error.code === 'not_found' ? 'Not found' : 'This could not be loaded'}</p>
      <p className="mt-1">{showControls(error.message)}</p>
      <div className="mt-3">
        <Button onClick={() => location.reload()}>Try again</Button>
      </div>
    </div>
  );
}

/** Why a command was refused; it stays until the next try. */
export function Refused({ error }: { readonly error: Failure | null }) {
  if (error === null) return null;
  return (
    <p role="alert" className="text-bad">
      {showControls(error.message)}
    </p>
  );
}

export function Loading() {
  return (
    <p role="status" className="late py-10 text-center text-faint">
      Loading…
    </p>
  );
}
