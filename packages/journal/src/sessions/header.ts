import type { JournalRecord } from '../journal/journal.ts';
import type { ForkedFrom, SessionAbout } from './contract.ts';

/** The journal's record 0: what the session is about. The loop does not read it. */
const KIND = 'SESSION_ABOUT';

export function headerOf(sessionId: string, { cwd, provider, model, forkedFrom }: SessionAbout): JournalRecord {
  const event = {
    kind: KIND,
    sessionId,
    cwd,
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(forkedFrom !== undefined && { forkedFrom }),
  };
  return { v: 1, seq: 0, at: new Date().toISOString(), event };
}

/** Null when it is not a header. */
export function aboutOf({ event }: JournalRecord): SessionAbout | null {
  if (event.kind !== KIND) return null;
  const { cwd, provider, model, forkedFrom } = event;
  return {
    cwd: typeof cwd === 'string' ? cwd : '',
    ...(typeof provider === 'string' && { provider }),
    ...(typeof model === 'string' && { model }),
    ...(isForkedFrom(forkedFrom) && { forkedFrom }),
  };
}

function isForkedFrom(value: unknown): value is ForkedFrom {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'sessionId' in value && typeof value.sessionId === 'string' && 'turn' in value && typeof value.turn === 'number'
  );
}
