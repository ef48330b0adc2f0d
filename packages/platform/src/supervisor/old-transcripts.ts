import { messageOf } from '@attractor/base';
import { archiveOld } from '@attractor/store';
import { type Check, finding } from './check.ts';

/** Moves transcripts as projects say. On PostgreSQL a person decides on which machine their files are (`attractor db archive`). */
export const oldTranscripts: Check = async ({ store, home }) => {
  if (store.dialect === 'postgres') return [];
  const archived = await archiveOld(store, { home });
  if (!archived.ok) throw new Error(messageOf(archived.error));
  const count = archived.value.runs.length;
  const words = `Moved the transcripts of ${count} ended runs into files`;
  return count === 0 ? [] : [finding('old-transcripts', { taskId: null, runId: null }, words)];
};
