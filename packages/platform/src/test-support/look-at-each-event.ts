import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../platform.ts';

type Workflow = Platform['workflow'];

export type Looking = {
  /** Only the events of this task are of interest. Absent: all. */
  readonly taskId?: string | undefined;
  readonly look: () => Promise<boolean>;
  readonly inVain: () => string;
};

const PATIENCE_MS = 600_000;
/** For what the log does not tell. */
const ANYWAY_MS = 250;

/** Resolves when `look` finds what it looks for: now, or after an event. However many wait, the log is read once for each change. */
export async function lookAtEachEvent(workflow: Workflow, { taskId, look, inVain }: Looking): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const news = listenTo(workflow, taskId);
  try {
    for (;;) {
      // Taken before the look, so that nothing is missed between the two.
      const next = news.next();
      if (await look()) return;
      if (performance.now() > deadline) throw new Error(inVain());
      await Promise.race([next, sleep(ANYWAY_MS)]);
    }
  } finally {
    news.stop();
  }
}

/** The tasks that new events are about; null: it is not known which. */
type About = ReadonlySet<string | null> | null;
type Fan = { readonly listeners: Set<(about: About) => void>; readonly close: () => void };

const fans = new WeakMap<Workflow, Fan>();

function listenTo(workflow: Workflow, taskId: string | undefined) {
  const fan = fans.get(workflow) ?? openFan(workflow);
  fans.set(workflow, fan);
  let turn = Promise.withResolvers<void>();
  const listener = (about: About): void => {
    if (taskId === undefined || about === null || about.has(taskId)) turn.resolve();
  };
  fan.listeners.add(listener);
  return {
    next: (): Promise<void> => {
      turn = Promise.withResolvers();
      return turn.promise;
    },
    stop: (): void => {
      fan.listeners.delete(listener);
      if (fan.listeners.size > 0) return;
      fan.close();
      fans.delete(workflow);
    },
  };
}

function openFan(workflow: Workflow): Fan {
  const listeners: Fan['listeners'] = new Set();
  let read: number | null = null;
  let newest = 0;
  let isTelling = false;
  const tell = async (): Promise<void> => {
    try {
      while (read === null || read < newest) {
        const after = read;
        read = newest;
        const about = after === null ? null : new Set((await workflow.events({ after, limit: 100_000 })).map(taskOf));
        for (const listener of listeners) listener(about);
      }
    } finally {
      isTelling = false;
    }
  };
  const heard = (seq: number): void => {
    newest = seq;
    if (isTelling) return;
    isTelling = true;
    // What is missed while the platform closes is found by the next look.
    void tell().catch(() => undefined);
  };
  return { listeners, close: workflow.subscribe(heard) };
}

const taskOf = ({ taskId }: { readonly taskId: string | null }): string | null => taskId;
