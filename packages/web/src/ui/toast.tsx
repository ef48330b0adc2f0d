import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  /** Takes back what was just done. */
  readonly undo: (() => void) | null;
};

const store = { toasts: [] as ReadonlyArray<Toast>, next: 1 };
const listeners = new Set<() => void>();
const SHOWN_MS = 10_000;

/** Says for ten seconds what was done, with a way to take it back. While somebody points at it or has it in focus it stays. */
export function toast(text: string, more: { readonly undo?: () => void; readonly isBad?: boolean } = {}): void {
  const made = { id: store.next, text, isBad: more.isBad === true, undo: more.undo ?? null };
  store.next += 1;
  publish([...store.toasts.slice(-2), made]);
}

export function Toasts() {
  const toasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => store.toasts,
  );
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-16 z-30 flex flex-col items-center gap-2 px-3 md:bottom-6"
    >
      {toasts.map((one) => (
        <ToastLine key={one.id} toast={one} />
      ))}
    </div>
  );
}

function ToastLine({ toast: { id, text, isBad, undo } }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  const hold = () => setHeld(true);
  const letGo = () => setHeld(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = window.setTimeout(() => drop(id), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [id, isHeld]);
  return (
    <div
      onPointerEnter={hold}
      onPointerLeave={letGo}
      onFocus={hold}
      onBlur={letGo}
      className={`rise pointer-events-auto flex min-h-10 max-w-full items-center gap-3 rounded-lg border bg-raised px-4 py-1.5 text-sm shadow-menu ${isBad ? 'border-bad text-bad' : 'border-line'}`}
    >
      <span className="min-w-0 break-words">{text}</span>
      {undo === null ? null : (
        <Button
          onClick={() => {
            drop(id);
            undo();
          }}
        >
          Undo
        </Button>
      )}
    </div>
  );
}

function drop(id: number): void {
  publish(store.toasts.filter((one) => one.id !== id));
}

function publish(toasts: ReadonlyArray<Toast>): void {
  store.toasts = toasts;
  for (const listener of listeners) listener();
}
