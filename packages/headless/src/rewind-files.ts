import type { SnapshotKeeper } from '@attractor/agent';
import type { SessionWatch } from './watch.ts';
import type { Controlled } from './control/controlled.ts';

/** Files as they were before a prompt was worked on. What a person changed since stays. */
export function rewindBy(
  watch: Pick<SessionWatch, 'seqOf'>,
  keeper: Pick<SnapshotKeeper, 'rewind'>,
): Controlled['rewindFiles'] {
  return async (id, how) => {
    const seq = watch.seqOf(id);
    if (seq === null) return { response: { canRewind: false, error: `no prompt of this session is called ${id}` } };
    const outcome = await keeper.rewind(seq, how);
    if (!outcome.ok) return { response: { canRewind: false, error: outcome.error.message } };
    return { response: { canRewind: true, filesChanged: outcome.value.changes.map(({ path }) => path) } };
  };
}
