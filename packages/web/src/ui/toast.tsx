import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button, IconButton } from './button.tsx';

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  /** Takes back what was just done. */
  readonly undo: (() => void) | null;
  /** Once it is gone without having been taken back. */
  readonly onEnd: (() => void) | null;
};

const store = { toasts: [] as ReadonlyArray<Toast>, next: 1 };
const listeners = new Set<() => void>();
const SHOWN_MS = 10_000;

type ToastOptions = { readonly undo?: () => void; readonly onEnd?: () => void; readonly isBad?: boolean };

/** Says for ten seconds what was done, with a way to take it back. While somebody points at it or has it in focus it stays. */
export function toast(text: string, more: ToastOptions = {}): void {
  openToast(text, more);
}

/** The same, with what ends it early. */
export function openToast(text: string, more: ToastOptions): () => void {
  const id = store.next;
  const made = { id, text, isBad: more.isBad === true, undo: more.undo ?? null, onEnd: more.onEnd ?? null };
  store.next += 1;
  // What only tells gives way to the next: three of them would cover what to do now.
  const told = store.toasts.filter(({ undo, onEnd, isBad }) => undo === null && onEnd === null && !isBad);
  for (const { id: older } of [...told, ...store.toasts.slice(0, -2)]) end(older);
  publish([...store.toasts, made]);
  return () => end(id);
}

/** Takes back the newest of what can still be taken back. */
export function undoLast(): void {
  const last = store.toasts.findLast(({ undo }) => undo !== null);
  if (last !== undefined) takeBack(last);
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
      className="pointer-events-none fixed inset-x-0 bottom-[calc(64px+var(--docked,0px))] z-30 flex flex-col items-center gap-2 px-3 md:right-6 md:bottom-6 md:left-auto md:items-end md:px-0"
    >
      {toasts.map((one) => (
        <ToastLine key={one.id} toast={one} />
      ))}
    </div>
  );
}

/** One line of them. */
export function ToastLine({ toast: one }: { readonly toast: Toast }) {
  const { id, text, isBad, undo } = one;
  const [isHeld, setHeld] = useState(false);
  const hold = () => setHeld(true);
  const letGo = () => setHeld(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = window.setTimeout(() => end(id), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [id, isHeld]);
  return (
    <div
      onPointerEnter={hold}
      onPointerLeave={letGo}
      onFocus={hold}
      onBlur={letGo}
      className={`rise pointer-events-auto flex min-h-10 max-w-full items-center gap-3 rounded-lg border bg-raised px-4 py-1 text-sm shadow-menu ${isBad ? 'border-bad text-bad' : 'border-line'}`}
    >
      <span className="min-w-0 break-words">{text}</span>
      {undo === null ? null : <Button onClick={() => takeBack(one)}>Undo</Button>}
      <IconButton label="Dismiss" className="-mr-2" onClick={() => end(id)}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

function takeBack({ id, undo }: Toast): void {
  drop(id);
  undo?.();
}

function end(id: number): void {
  const ended = store.toasts.find((one) => one.id === id);
  drop(id);
  ended?.onEnd?.();
}

function drop(id: number): void {
  publish(store.toasts.filter((one) => one.id !== id));
}

function publish(toasts: ReadonlyArray<Toast>): void {
  store.toasts = toasts;
  for (const listener of listeners) listener();
}
