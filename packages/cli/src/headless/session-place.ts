import { defined } from '@attractor/base';
import { newUuid } from '@attractor/base/id';
import {
  type HeldSession,
  importForeignSession,
  journalOf,
  openSessions,
  readRecords,
  type Sessions,
  type SessionSummary,
} from '@attractor/journal';
import { createRedactor, secretValues } from '@attractor/redact';
import { entryName } from '@attractor/stream-json';
import { CommandFailure, EXIT, unwrap } from '@attractor/console';
import type { ModelFlags } from '../model-flags.ts';
import type { HeadlessFlags } from './flags.ts';
import { namesOf, newestTranscript, transcriptOf } from './transcripts.ts';

type Wish<Flags> = { readonly home: string; readonly cwd: string; readonly flags: Flags };

type SessionFlags = Pick<
  HeadlessFlags,
  'resume' | 'continue' | 'forkSession' | 'sessionId' | 'resumeSessionAt' | 'resumeDropsTurn'
> &
  MirrorFlags & { readonly linesOf?: HeadlessFlags['linesOf'] };

type MirrorFlags = Partial<Pick<HeadlessFlags, 'sessionMirror' | 'sessionPersistence' | 'outputFormat'>>;

type Place = Wish<SessionFlags> & {
  readonly earlier: SessionSummary | null;
  /** A program of the Claude Agent SDK drives it: there, ids of sessions are UUIDs. */
  readonly isDriven: boolean;
  readonly provider: string;
  /** Undefined: the profile's. */
  readonly model: string | undefined;
};

/** The session to work in: a new one, the earlier one, or a copy of that. */
function openSessionPlace({ home, cwd, flags, earlier, isDriven, provider, model }: Place): HeldSession {
  const sessions = openSessions({ home });
  const id = defined({ sessionId: flags.sessionId ?? (isDriven ? newUuid() : undefined) });
  if (earlier === null) return unwrap(sessions.create({ cwd, provider, ...defined({ model }), ...id }));
  const turn = turnOf(earlier.id, sessions, flags);
  if (turn !== undefined && flags.forkSession !== true) unwrap(sessions.rewind(earlier.id, { turn }));
  const held = unwrap(sessions.open(earlier.id));
  const isUnreadable = held.journal.records()[Symbol.iterator]().next().done === true;
  if (isUnreadable || flags.forkSession === true) held.journal.close();
  if (isUnreadable)
    throw new CommandFailure(
      `the session ${held.id} can't be read because ${held.journal.path} is damaged: replace it with a copy, or begin a new one.`,
      EXIT.failed,
    );
  return flags.forkSession === true
    ? unwrap(sessions.open(unwrap(sessions.fork(held.id, { ...id, ...defined({ turn }) })).id))
    : held;
}

export type SessionPlaces = {
  readonly place: HeldSession;
  /** For another conversation in place of the one before. */
  readonly newPlace: () => HeldSession;
  /** Removes what is not to be kept; a session that was there before stays. */
  readonly forget: (isKept: (place: HeldSession) => boolean) => void;
};

/** The session to work in, and those that come after it in the same run. */
export function openSessionPlaces(about: Place): SessionPlaces {
  const place = openSessionPlace(about);
  const own = about.earlier === null ? [place] : [];
  return {
    place,
    newPlace: () => {
      const fresh = openSessionPlace({ ...about, earlier: null, flags: {} });
      own.push(fresh);
      return fresh;
    },
    forget: (isKept) => own.filter((one) => !isKept(one)).forEach((one) => forgetSession(about.home, one)),
  };
}

/** The last turn to keep. Undefined: all are. */
function turnOf(id: string, sessions: Sessions, flags: SessionFlags): number | undefined {
  const { resumeSessionAt: uuid, resumeDropsTurn: drops } = flags;
  return uuid === undefined ? undefined : unwrap(sessions.namedTurn(id, { uuid, ...defined({ drops }) }));
}

/** For a session in which nobody said anything: it is not kept. If it can't be removed it does no harm. */
function forgetSession(home: string, { id }: HeldSession): void {
  openSessions({ home }).delete(id, { forever: true });
}

/** A session keeps its model unless the person says otherwise: another model would have to read everything again. */
export function withModelOf<Flags extends ModelFlags>(earlier: SessionSummary | null, flags: Flags): Flags {
  const { provider = null, model = null } = earlier ?? {};
  if (provider === null || flags.model !== undefined || (flags.provider ?? provider) !== provider) return flags;
  return { ...flags, provider, ...(model === null ? {} : { model }) };
}

/** Contradictory flags end the run: any choice between them could be wrong. */
function checkTogether({ resume, continue: goesOn, forkSession, sessionId, ...at }: SessionFlags): void {
  checkMirror(at);
  const isEarlier = resume !== undefined || goesOn === true;
  if (resume !== undefined && goesOn === true)
    throw new CommandFailure("--resume and --continue can't both choose the session: give one of them.", EXIT.usage);
  if (forkSession === true && !isEarlier)
    throw new CommandFailure('--fork-session copies a session: name it with --resume or --continue.', EXIT.usage);
  if (at.resumeSessionAt !== undefined && !isEarlier)
    throw new CommandFailure('--resume-session-at is a place in a session: name it with --resume.', EXIT.usage);
  if (at.resumeDropsTurn !== undefined && at.resumeSessionAt === undefined)
    throw new CommandFailure('--resume-drops-turn says what follows there: add --resume-session-at.', EXIT.usage);
  if (sessionId !== undefined && isEarlier && forkSession !== true)
    throw new CommandFailure(
      '--session-id names a new session: with --resume or --continue add --fork-session.',
      EXIT.usage,
    );
}

function checkMirror({ sessionMirror, sessionPersistence, outputFormat }: MirrorFlags): void {
  if (sessionMirror !== true) return;
  if (sessionPersistence === false)
    throw new CommandFailure(
      "--session-mirror tells what is kept: it can't go with --no-session-persistence.",
      EXIT.usage,
    );
  if (outputFormat !== 'stream-json')
    throw new CommandFailure('--session-mirror is lines of stdout: add --output-format stream-json.', EXIT.usage);
}

type Earlier = Wish<SessionFlags> & { readonly env: NodeJS.ProcessEnv; readonly tell: (text: string) => void };

/**
 * The session to resume: the requested one, or the newest of this folder; null: a new one is wanted. One that is not here is taken from
 * its transcript of Claude Code, if there is one.
 */
export function earlierSession(about: Earlier): SessionSummary | null {
  const { home, cwd, flags } = about;
  checkTogether(flags);
  const sessions = openSessions({ home });
  if (flags.resume !== undefined) return namedSession(flags.resume, about);
  if (flags.continue !== true) return null;
  const latest = sessions.latest(cwd);
  const elsewhere = latest === null && flags.linesOf === 'claude' ? newestTranscript(about) : null;
  if (elsewhere !== null) {
    about.tell(`the newest session of this folder is ${elsewhere} of Claude Code: it goes on here.`);
    return namedSession(elsewhere, about);
  }
  if (latest === null)
    throw new CommandFailure(
      `there is no session of ${cwd} to continue. Begin one: attractor, or attractor -p "what should be done"`,
      EXIT.notFound,
    );
  return latest;
}

function namedSession(id: string, about: Earlier): SessionSummary {
  const { home, flags } = about;
  const sessions = openSessions({ home });
  const here = sessions.find(id);
  if (here.ok ? flags.sessionMirror !== true : here.error.code !== 'not_found') return unwrap(here);
  const file = transcriptOf(here.ok ? here.value.id : id, about);
  if (file === null) return unwrap(here);
  if (!here.ok) return imported({ file, id, about });
  const session = here.value;
  if (!hasMore(file, home, session)) return session;
  const makeRoom = (): void => {
    unwrap(sessions.delete(session.id));
    about.tell(`the session ${session.id} went on elsewhere: it is taken from there; what was here is in the trash.`);
  };
  return imported({ file, id: session.id, about, makeRoom });
}

/** Whether what was said last is not in our session: it went on with the copy that the program keeps. */
function hasMore(file: string, home: string, { id: sessionId }: SessionSummary): boolean {
  const last = namesOf(file).at(-1);
  if (last === undefined) return false;
  for (const { seq, event } of readRecords(journalOf(home, sessionId)))
    if (entryName(event, { sessionId, seq }) === last) return false;
  return true;
}

type Importing = {
  readonly file: string;
  readonly id: string;
  readonly about: Earlier;
  readonly makeRoom?: () => void;
};

function imported({ file, id, about, makeRoom }: Importing): SessionSummary {
  const { home, cwd, env, tell } = about;
  const redactor = createRedactor({ secrets: secretValues(env) });
  const order = { home, from: 'claude', file, id, cwd, redactor, ...defined({ makeRoom }) } as const;
  const { left } = unwrap(importForeignSession(order));
  if (left.length > 0) tell(`of the transcript of ${id} this is not in the session: ${left.join(', ')}.`);
  return unwrap(openSessions({ home }).find(id));
}
