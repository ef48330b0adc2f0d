import { type HeldSession, openSessions, type Sessions } from '@attractor/agent';
import { CommandFailure, EXIT, unwrap } from '../exit.ts';
import type { HeadlessFlags } from './flags.ts';

type Wish = { readonly home: string; readonly cwd: string; readonly flags: HeadlessFlags };

/** The session to work in: a new one, the one asked for, the newest of this folder, or a copy of either. */
export function openSessionPlace({ home, cwd, flags }: Wish): HeldSession {
  const sessions = openSessions({ home });
  const earlier = earlierSession(sessions, { cwd, flags });
  if (earlier === null) {
    const id = flags.sessionId === undefined ? {} : { sessionId: flags.sessionId };
    return unwrap(sessions.create({ cwd, ...id }));
  }
  return unwrap(sessions.open(flags.forkSession === true ? unwrap(sessions.fork(earlier)).id : earlier));
}

function earlierSession(sessions: Sessions, { cwd, flags }: Pick<Wish, 'cwd' | 'flags'>): string | null {
  if (flags.resume !== undefined) return unwrap(sessions.find(flags.resume)).id;
  if (flags.continue !== true) return null;
  const latest = sessions.latest(cwd);
  if (latest === null)
    throw new CommandFailure(`no session of ${cwd} to go on with. Start one without --continue.`, EXIT.notFound);
  return latest.id;
}
