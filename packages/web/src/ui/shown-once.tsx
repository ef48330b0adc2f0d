import { useState } from 'react';
import { Button } from './button.tsx';

type ShownOnceProps = { readonly label: string; readonly text: string };

/** A secret that nobody sees again: it is read, marked or copied now. */
export function ShownOnce({ label, text }: ShownOnceProps) {
  const [copied, setCopied] = useState('');
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(text));
  return (
    <div className="mt-2 flex w-full flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <p role="status" className="min-w-0 wrap-anywhere">
        {label}: <code className="font-mono select-all">{text}</code>
      </p>
      {/* A page that came over plain HTTP from another machine has no clipboard. */}
      {window.isSecureContext ? <Button onClick={copy}>{copied === text ? 'Copied' : 'Copy'}</Button> : null}
    </div>
  );
}
