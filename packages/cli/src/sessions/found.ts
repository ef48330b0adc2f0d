import { openSessions, type Sessions, type SessionsResult, type SessionSummary } from '@attractor/journal';
import { CommandFailure, EXIT, type ExitCode } from '@attractor/console';
import { homeFolder } from '../settings.ts';

export function sessionsOfHome(): Sessions {
  return openSessions({ home: homeFolder(process.env) });
}

const EXITS: Readonly<Partial<Record<string, ExitCode>>> = {
  not_found: EXIT.notFound,
  locked: EXIT.refused,
  conflict: EXIT.refused,
  invalid: EXIT.refused,
};

/** The value, or the command's end with the matching exit code. */
export function orFail<Value>(result: SessionsResult<Value>): Value {
  if (result.ok) return result.value;
  throw new CommandFailure(result.error.message, EXITS[result.error.code] ?? EXIT.failed);
}

export function findSession(sessions: Sessions, id: string): SessionSummary {
  return orFail(sessions.find(id));
}
