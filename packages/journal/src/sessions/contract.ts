import type { Failure, Result } from '@attractor/base';
import type { Usage } from '@attractor/llm';
import type { FileJournal } from '../journal/file-journal.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { TurnEntry } from './turns.ts';

export type SessionsErrorCode = 'not_found' | 'locked' | 'conflict' | 'invalid' | 'no_space' | 'permission' | 'failed';

export type SessionsError = Failure<SessionsErrorCode>;

export type SessionsResult<Value> = Result<Value, SessionsError>;

/** The origin of a fork: the other session, and the turn up to which they are the same. */
export type ForkedFrom = { readonly sessionId: string; readonly turn: number };

/** What is known about a session before its first event. */
export type SessionAbout = {
  readonly cwd: string;
  readonly provider?: string;
  readonly model?: string;
  readonly forkedFrom?: ForkedFrom;
};

/** A row of a list: a view of the journal, cached beside it. Times inform; `turns` are those of the current conversation. */
export type SessionSummary = {
  readonly id: string;
  readonly folder: string;
  /** The first input, in one line. */
  readonly title: string;
  readonly cwd: string;
  readonly provider: string | null;
  readonly model: string | null;
  readonly turns: number;
  /** Of the last record, even if it was rewound; -1: there is none. */
  readonly lastSeq: number;
  readonly usage: Usage;
  /** USD for all requests, including rewound turns; null if a price is unknown. */
  readonly cost: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly forkedFrom: ForkedFrom | null;
  /** The process that is writing it now. */
  readonly writer: number | null;
};

/** A session held for writing; nobody else can write it until `journal.close()`. */
export type HeldSession = {
  readonly id: string;
  readonly folder: string;
  readonly about: SessionAbout;
  readonly journal: FileJournal;
  /** No conversation has begun: use `createSession`, otherwise `resumeSession`. */
  readonly isNew: boolean;
};

export type CreateOptions = SessionAbout & { readonly sessionId?: string };
export type ListOptions = { readonly cwd?: string; readonly limit?: number };
export type FollowOptions = { readonly afterSeq?: number; readonly signal?: AbortSignal };
export type SearchOptions = ListOptions;

export type SearchHit = {
  readonly session: SessionSummary;
  readonly turn: number;
  readonly kind: TurnEntry['kind'];
  readonly at: string;
  /** One line around the first match. */
  readonly excerpt: string;
};

/** `turn`: the last turn that is kept; 0 keeps none. A call and its results are never separated. */
export type ForkOptions = { readonly turn?: number; readonly sessionId?: string };
/** `uuid`: the name of a message. `drops`: the name of the only prompt that may follow. */
export type NamedTurn = { readonly uuid: string; readonly drops?: string };
export type Forked = { readonly id: string; readonly turn: number };
/**
 * `redo` restores what the last rewind took, and so on backwards until something was said; `takeBack` undoes the last rewind or redo;
 * `files` only records that files are rewound now, without the conversation.
 */
export type RewindOptions =
  | { readonly turn: number }
  | { readonly redo: true }
  | { readonly takeBack: true }
  | { readonly files: true };
/** `seq`: of the rewind that `redo` would undo, as returned then; null if there is none. `spokenSeq`: of the last turn said. */
export type Redoable = { readonly seq: number | null; readonly spokenSeq: number };
/** `seq`: the last record now, which records the rewind; files that go along are recorded under it. */
export type Rewound = { readonly turn: number; readonly turnsBefore: number; readonly seq: number };
export type DeleteOptions = { readonly forever?: boolean };
/** `trash` is where the session can still be found; null if it is gone for good. */
export type Deleted = { readonly id: string; readonly trash: string | null };

/**
 * The sessions of a home: one folder each, with the journal, its side files and a cache of its summary. The writer of a session holds its
 * lease; reading needs none. Nothing here throws except for bugs.
 */
export type Sessions = {
  readonly create: (options: CreateOptions) => SessionsResult<HeldSession>;
  /** `locked` while another process writes it: then `follow` it. */
  readonly open: (id: string) => SessionsResult<HeldSession>;
  /** By id, or by the beginning of one. */
  readonly find: (id: string) => SessionsResult<SessionSummary>;
  /** Newest first. */
  readonly list: (options?: ListOptions) => ReadonlyArray<SessionSummary>;
  readonly latest: (cwd: string) => SessionSummary | null;
  readonly turns: (id: string) => Iterable<TurnEntry>;
  /** The turn that a message belongs to, by the message's name in the lines of a run. */
  readonly namedTurn: (id: string, named: NamedTurn) => SessionsResult<number>;
  readonly search: (text: string, options?: SearchOptions) => Iterable<SearchHit>;
  /** Stored records, then new ones, until the session ends or the signal aborts. */
  readonly follow: (id: string, options?: FollowOptions) => AsyncIterable<JournalRecord>;
  readonly fork: (id: string, options?: ForkOptions) => SessionsResult<Forked>;
  readonly rewind: (id: string, options: RewindOptions) => SessionsResult<Rewound>;
  /** What it is called in lists from now on. */
  readonly rename: (id: string, title: string) => SessionsResult<{ readonly id: string }>;
  readonly redoable: (id: string) => SessionsResult<Redoable>;
  /** The lines of a file with the whole session, including its subagents. Snapshots for undo and kept outputs stay on the machine. */
  readonly export: (id: string) => SessionsResult<Iterable<string>>;
  /** Imports the session in such lines, whole or not at all. If its id is taken it gets a new one. */
  readonly import: (lines: Iterable<string>) => SessionsResult<{ readonly id: string }>;
  readonly delete: (id: string, options?: DeleteOptions) => SessionsResult<Deleted>;
};
