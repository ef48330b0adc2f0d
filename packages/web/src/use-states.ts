import { STATES_AT_ONCE, type TaskState } from '@attractor/api';
import { useEffect, useState } from 'react';
import { api } from './api.ts';

export type States = Readonly<Record<string, TaskState>>;

/** Events may come fast; states are asked for once they pause. */
const PAUSE_MS = 250;
/** What holds a run back changes without an event. */
const LOOK_MS = 15_000;

/** How tasks stand, in the words of the server; asked for again when the log has grown to `seq`. The last known stay meanwhile. */
export function useStates(ids: ReadonlyArray<string>, seq: number): States {
  const [states, setStates] = useState<States>({});
  const key = `${seq} ${ids.join(',')}`;
  useEffect(() => {
    let gone = false;
    const read = async () => {
      const wanted = (key.split(' ')[1] ?? '').split(',').filter((id) => id !== '');
      for (let from = 0; from < wanted.length; from += STATES_AT_ONCE) {
        const ids = wanted.slice(from, from + STATES_AT_ONCE).join(',');
        const answer = await api.tasks.states({ ids });
        if (gone || !answer.ok) return;
        const told = Object.fromEntries(answer.value.map(({ task, state }) => [task.id, state]));
        setStates((known) => ({ ...known, ...told }));
      }
    };
    const soon = window.setTimeout(() => void read(), PAUSE_MS);
    const again = window.setInterval(() => void read(), LOOK_MS);
    return () => {
      gone = true;
      window.clearTimeout(soon);
      window.clearInterval(again);
    };
  }, [key]);
  return states;
}
