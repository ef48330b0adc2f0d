import type { Answer, ApiClient } from '@attractor/api';
import { useEffect } from 'react';
import { api, lastingApi } from '../data/api.ts';
import { hide, showAgain } from '../data/hidden.ts';
import { showControls, typeset } from '@attractor/api/shown';
import { openToast, toast } from '../ui/toast.tsx';

/** A deletion that the server could not take back. */
type HeldBack = {
  /** Said as if it were done: “SLU-3 deleted”. */
  readonly text: string;
  /** What no list shows from now on. */
  readonly ids: ReadonlyArray<string>;
  readonly send: (by: ApiClient) => Promise<Answer<unknown>>;
  /** Looks again at whatever showed it; not needed where the log tells that it is gone. */
  readonly again?: () => Promise<unknown>;
};

const held = new Map<HeldBack, { readonly close: () => void }>();

/** Deletes for whoever looks, at once; the server is told when the time to take it back is over. What it refuses is shown again, with the reason. */
export function holdBack(one: HeldBack): void {
  hide(one.ids);
  const close = openToast(showControls(one.text), {
    undo: () => takeBack(one),
    onEnd: () => void send(one, api),
  });
  held.set(one, { close });
  keepFocus();
}

/** Tells the server at once what is still held back: before somebody gives a name again, signs out or leaves. */
export async function sendHeld(by: ApiClient = api): Promise<void> {
  await Promise.all(
    [...held].map(([one, { close }]) => {
      const sent = send(one, by);
      close();
      return sent;
    }),
  );
}

/** Shows again what has not gone yet; what has gone says so itself. */
export function bringBack(id: string): void {
  const [one, { close } = { close: () => undefined }] = [...held].find(([{ ids }]) => ids.includes(id)) ?? [];
  if (one === undefined) return showAgain([id]);
  takeBack(one);
  close();
}

/** A page that is left, reloaded or put away may never come back: what it holds back goes with its last breath. */
export function useSendOnLeave(): void {
  useEffect(() => {
    const leave = () => void sendHeld(lastingApi);
    const change = () => void (document.visibilityState === 'hidden' && leave());
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', change);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', change);
    };
  }, []);
}

function takeBack(one: HeldBack): void {
  if (held.delete(one)) showAgain(one.ids);
}

async function send(one: HeldBack, by: ApiClient): Promise<void> {
  if (!held.delete(one)) return;
  const answer = await one.send(by);
  // Somebody else was faster.
  const isGone = answer.ok || answer.error.code === 'not_found';
  if (!isGone) toast(typeset(`Not done: ${one.text}. ${answer.error.message}`), { isBad: true });
  await one.again?.();
  // The log may still be on its way, and an id never comes back.
  if (!isGone || one.again !== undefined) showAgain(one.ids);
}

/** The button that was pressed goes with its row. */
function keepFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  });
}
