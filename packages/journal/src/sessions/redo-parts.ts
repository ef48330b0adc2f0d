import type { Undo } from '@attractor/undo';
import type { Sessions, SessionsResult } from './contract.ts';

/** What a redo restores. */
export type RedoParts = { readonly conversation: boolean; readonly files: boolean };

/**
 * What the last rewind took, and so what a redo has to restore: a rewind of both is recorded under one `seq` on both sides, one of files
 * alone under its own. A rewind before the last message stays as it is.
 */
export function partsOfRedo(sessions: Sessions, id: string, undo: Undo | null): SessionsResult<RedoParts> {
  const known = sessions.redoable(id);
  if (!known.ok) return known;
  const { seq: conversation, spokenSeq } = known.value;
  const files = undo?.redoable()?.seq ?? 0;
  const last = Math.max(conversation ?? 0, files > spokenSeq ? files : 0);
  // With neither, the conversation says why.
  return { ok: true, value: { conversation: last === (conversation ?? 0), files: last > 0 && last === files } };
}
