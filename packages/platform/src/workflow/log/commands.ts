import { type DeltaFan, lastSeq, listActivity, listEvents, type Store } from '@attractor/store';
import type { LogCommands } from './contract.ts';

export function createLogCommands({
  store,
  deltas,
}: {
  readonly store: Store;
  readonly deltas: DeltaFan;
}): LogCommands {
  const { read } = store;
  return {
    events: (filter) => listEvents(read, filter),
    lastSeq: () => lastSeq(read),
    activity: (filter) => listActivity(read, filter),
    subscribe: (listener) => followSeq(store, listener),
    onDelta: deltas.listen,
  };
}

/** A change without events (a lease, a claim) is not reported. */
function followSeq(store: Store, listener: (seq: number) => void): () => void {
  let told = -1;
  const look = async (): Promise<void> => {
    const seq = await lastSeq(store.read);
    if (seq === told) return;
    told = seq;
    listener(seq);
  };
  // The hint is missed while the store is being closed; readers then have all there is.
  return store.onChange(() => void look().catch(() => undefined), ['events']);
}
