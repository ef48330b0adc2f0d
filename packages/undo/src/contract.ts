import type { Result } from '@attractor/base';
import type { Id } from '@attractor/base/id';
import type { UndoFailure } from './failure.ts';

/** Failures are values: nothing here rejects. */
export type UndoOutcome<T> = Result<T, UndoFailure>;

export type SnapshotId = Id<'snp'>;

/**
 * Whose changes a snapshot caught: everything since the snapshot before it. A rewind undoes the agent's and keeps the person's;
 * `rewind` and `redo` are our own.
 */
export type SnapshotAuthor = 'agent' | 'person' | 'rewind' | 'redo';

/**
 * The files at one moment. Never changed once written; in the order in which they were taken. `turn` is no clock: the same turn may have
 * several, and turns may start over after a rewind. `seq` is the session's own, if given.
 */
export type Snapshot = {
  readonly id: SnapshotId;
  /** ISO time, for people. */
  readonly at: string;
  readonly by: SnapshotAuthor;
  readonly turn: number;
  readonly seq?: number;
  /** Stored as given: pass text that is already redacted. */
  readonly label: string;
  /** How many files differ from the snapshot before. */
  readonly changed: number;
  /** How many things exist but are not in it. */
  readonly leftOut: number;
  /** For a rewind or redo: its target, and the snapshot just before it. */
  readonly target?: SnapshotId;
  readonly before?: SnapshotId;
};

/** `agent` (default): after a step of the agent. `person`: before one, so that a person's changes meanwhile are kept apart. */
export type SnapshotRequest = {
  readonly turn: number;
  readonly seq?: number;
  readonly label?: string;
  readonly by?: 'agent' | 'person';
  readonly signal?: AbortSignal;
};

export type ChangedFile = { readonly path: string; readonly change: 'added' | 'modified' | 'deleted' };

/** Exists, but is not stored: a rewind never touches it. A path with a trailing slash is a whole folder. */
export type LeftOutFile = {
  readonly path: string;
  readonly reason: 'file_size' | 'total_size' | 'time' | 'unreadable' | 'special_file' | 'nested_repository';
  readonly bytes?: number;
};

export type SnapshotResult = {
  /** The newest snapshot: the one just taken, or the last one if nothing had changed. */
  readonly snapshot: Snapshot;
  readonly isNew: boolean;
  readonly changes: ReadonlyArray<ChangedFile>;
  readonly leftOut: ReadonlyArray<LeftOutFile>;
};

/** `turn`: the files at the end of that turn (the newest snapshot of the last turn that is not later). `seq` likewise. */
export type RewindTarget = { readonly id: SnapshotId } | { readonly turn: number } | { readonly seq: number };

/** Where in the session the rewind happens, so that later targets by `seq` find the resulting files. */
export type RewindMoment = { readonly seq?: number };

/**
 * A file that is not as at the target, and why it stays. `person`: only a person changed it since; `conflict`: the agent did too (the
 * person's last version stays, or comes back); `not_stored`: one of the two versions was left out; `ignored`: it may have existed already,
 * ignored; `in_the_way`: a folder or file that stays has its place; `changed_meanwhile`: it was changed during the rewind.
 */
export type KeptFile = {
  readonly path: string;
  readonly reason: 'person' | 'conflict' | 'not_stored' | 'ignored' | 'in_the_way' | 'changed_meanwhile';
};

export type RewindPreview = {
  readonly target: Snapshot;
  readonly changes: ReadonlyArray<ChangedFile>;
  readonly kept: ReadonlyArray<KeptFile>;
};

export type RewindResult = RewindPreview & {
  /** The files before it: what `redo` goes back to. */
  readonly before: Snapshot;
  readonly after: Snapshot;
};

/** `snapshots`: how many to keep, newest first. `storeBytes`: how large the store may be; the newest snapshot always stays. */
export type PruneBounds = { readonly snapshots?: number; readonly storeBytes?: number };

export type PruneResult = { readonly dropped: number; readonly kept: number; readonly storeBytes: number };

export type UndoBounds = {
  /** A larger file is left out. Default 10 MiB. */
  readonly fileBytes: number;
  /** How many bytes one snapshot may add. Default 512 MiB. */
  readonly snapshotBytes: number;
  /** How long one snapshot may take; what was not reached is left out. Default 30 s. */
  readonly snapshotMs: number;
  /** Beyond this older snapshots are dropped, on close and every hundredth snapshot. Default 1,000. */
  readonly snapshots: number;
  /** Likewise. Default 2 GiB. */
  readonly storeBytes: number;
};

export type UndoOptions = {
  /** An existing folder. Only what is below it is stored and restored. */
  readonly workspace: string;
  /** Our own folder, created with its parents; private to its owner. It contains copies of the workspace's files. */
  readonly statePath: string;
  readonly bounds?: Partial<UndoBounds>;
};

/**
 * Snapshots of one workspace and the way back to each. One process at a time; calls are served in order, so a snapshot may run while the
 * model is asked. The person's repository (index, HEAD, refs, configuration) is never written.
 */
export type Undo = {
  readonly snapshot: (request: SnapshotRequest) => Promise<UndoOutcome<SnapshotResult>>;
  /** Oldest first. */
  readonly list: () => ReadonlyArray<Snapshot>;
  /** What `rewind`, or `redo`, would do now. A person's changes since the last snapshot are stored first. */
  readonly preview: (target: RewindTarget | { readonly redo: true }) => Promise<UndoOutcome<RewindPreview>>;
  /** All of it or nothing; if the process dies in between, the next open finishes it. */
  readonly rewind: (target: RewindTarget, moment?: RewindMoment) => Promise<UndoOutcome<RewindResult>>;
  /** Undoes the last rewind that was not redone, as long as the agent has not continued. */
  readonly redo: (moment?: RewindMoment) => Promise<UndoOutcome<RewindResult>>;
  /** The rewind that `redo` would undo. */
  readonly redoable: () => Snapshot | null;
  readonly prune: (bounds: PruneBounds) => Promise<UndoOutcome<PruneResult>>;
  readonly close: () => Promise<void>;
};
