import { defined, done, failed } from '@attractor/base';
import type { AgentSession, AgentSessions, LiveSessions, SessionTurn } from '@attractor/api';
import {
  openSessions,
  type Sessions,
  type SessionsError,
  type SessionSummary,
  type TurnEntry,
} from '@attractor/journal';
import type { Result } from '@attractor/platform';

/** The conversations of a home, read from their journals whenever somebody asks. */
export function agentSessions(home: string, here: LiveSessions | null = null): AgentSessions {
  const sessions = openSessions({ home });
  return {
    ...goneOnWith(sessions, here),
    list: (limit) => sessions.list({ limit }).map(toSession),
    search: (text, limit) =>
      [...Iterator.from(sessions.search(text)).take(limit)].map(({ session, turn, at, excerpt }) => ({
        session: toSession(session),
        turn,
        at,
        excerpt,
      })),
    find: (id) => {
      const found = sessions.find(id);
      return found.ok ? done(toSession(found.value)) : refused(found.error);
    },
    turns: (id, { after, limit }) => {
      const found = sessions.find(id);
      if (!found.ok) return refused(found.error);
      const page = Iterator.from(sessions.turns(found.value.id)).filter(({ turn }) => turn > after);
      return done([...page.take(limit)].map(toTurn));
    },
    fork: (id, turn) => {
      const forked = sessions.fork(id, defined({ turn }));
      return forked.ok ? done({ id: forked.value.id }) : refused(forked.error);
    },
  };
}

type GoneOnWith = Pick<AgentSessions, 'live' | 'say' | 'answer' | 'stop'>;

function goneOnWith(sessions: Sessions, here: LiveSessions | null): GoneOnWith {
  const nobody = failed({ code: 'blocked', message: "This server can't continue conversations." } as const);
  const whole = (id: string): Result<SessionSummary> => {
    const found = sessions.find(id);
    return found.ok ? found : refused(found.error);
  };
  return {
    live: (id) => {
      const found = whole(id);
      if (!found.ok) return found;
      return done(here === null ? NOTHING_LIVE : here.live(found.value.id));
    },
    say: async (id, text) => {
      const found = whole(id);
      if (!found.ok) return found;
      if (here === null) return nobody;
      const { writer } = found.value;
      if (writer !== null && writer !== process.pid) return failed({ code: 'conflict', message: heldBy(writer) });
      return done(await here.say(toSession(found.value), text));
    },
    answer: (id, given) => {
      const found = whole(id);
      if (!found.ok) return found;
      const live = here?.answer(found.value.id, given) ?? null;
      return live === null
        ? failed({ code: 'conflict', message: 'Nobody is waiting for this answer any more.' })
        : done(live);
    },
    stop: async (id) => {
      const found = whole(id);
      if (!found.ok) return found;
      return here === null ? nobody : done(await here.stop(found.value.id));
    },
  };
}

const NOTHING_LIVE = { isWorking: false, text: '', asks: [], problem: null };

function heldBy(writer: number): string {
  return `Another window has this conversation open (process ${writer}). Leave it there with Ctrl-D and send it again, or fork the conversation here.`;
}

function toSession(summary: SessionSummary): AgentSession {
  const { id, title, cwd, model, turns, usage, cost, createdAt, updatedAt, forkedFrom, writer } = summary;
  const spent = { tokens: usage.totalTokens, costUsd: cost };
  return { id, title, cwd, model, turns, ...spent, createdAt, updatedAt, forkedFrom, isInUse: writer !== null };
}

/** Of one output, for a screen; the journal has the whole. */
const MOST = 20_000;

function toTurn({ turn, kind, at, text, calls, results }: TurnEntry): SessionTurn {
  const shown = results.map(({ toolCallId, output, isError }) => ({
    toolCallId,
    output: output.length > MOST ? `${output.slice(0, MOST)}\n… ${output.length - MOST} characters more` : output,
    isError,
  }));
  return { turn, kind, at, text, calls, results: shown };
}

/** Disks and leases have codes of their own; a caller gets those that it knows. */
function refused({ code, message }: SessionsError): Result<never> {
  const known = code === 'not_found' || code === 'conflict' || code === 'invalid' ? code : 'unavailable';
  return failed({ code: known, message });
}
