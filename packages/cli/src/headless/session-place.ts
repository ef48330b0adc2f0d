import { type HeldSession, openSessions, type Sessions } from '@attractor/agent';
import { CommandFailure, EXIT, unwrap } from '../exit.ts';
import type { HeadlessFlags } from './flags.ts';

type Wish = { readonly home: string; readonly cwd: string; readonly flags: HeadlessFlags };

/** The session to work in: a new one, the one asked for, the newest of this folder, or a copy of either. */
export function openSessionPlace({ home, cwd, flags }: Wish): HeldSession {
  checkTogether(flags);
  const sessions = openSessions({ home });
  const earlier = earlierSession(sessions, { cwd, flags });
  const id = flags.sessionId === undefined ? {} : { sessionId: flags.sessionId };
  if (earlier === null) return unwrap(sessions.create({ cwd, ...id }));
  return unwrap(sessions.open(flags.forkSession === true ? unwrap(sessions.fork(earlier, id)).id : earlier));
}

/** Flags that contradict each other end the run: any choice between them could be the wrong one. */
function checkTogether({ resume, continue: goesOn, forkSession, sessionId }: HeadlessFlags): void {
  const isEarlier = resume !== undefined || goesOn === true;
  if (resume !== undefined && goesOn === true)
    throw new CommandFailure('--resume and --continue name two sessions: give one of them.', EXIT.usage);
  if (forkSession === true && !isEarlier)
    throw new CommandFailure('--fork-session copies a session: name it with --resume or --continue.', EXIT.usage);
  if (sessionId !== undefined && isEarlier && forkSession !== true)
    throw new CommandFailure(
      '--session-id names a new session: with --resume or --continue add --fork-session.',
      EXIT.usage,
    );
}

function earlierSession(sessions: Sessions, { cwd, flags }: Pick<Wish, 'cwd' | 'flags'>): string | null {
  if (flags.resume !== undefined) return unwrap(sessions.find(flags.resume)).id;
  if (flags.continue !== true) return null;
  const latest = sessions.latest(cwd);
  if (latest === null)
    throw new CommandFailure(`no session of ${cwd} to go on with. Start one without --continue.`, EXIT.notFound);
  return latest.id;
}
