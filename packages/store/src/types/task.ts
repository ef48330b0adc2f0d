import type { Id } from '@attractor/base/id';
import type { StoredTaskFields } from '@attractor/facts';
import type { Actor } from './actor.ts';

export type { Complexity, Priority, Size } from '@attractor/facts';

/**
 * `status` is one of the statuses of the pipeline version the task started with; only a transition changes it. One level: a task that has a
 * parent has no subtasks.
 */
export type Task = StoredTaskFields & {
  readonly id: Id<'tsk'>;
  /** `ATT-12`. Tasks in events from before there were keys lack it. */
  readonly key: string;
  readonly projectId: Id<'prj'>;
  readonly status: string;
  readonly pipelineVersion: number;
  /** Position on the board, ascending; ties are broken by the id. */
  readonly sortOrder: number;
  /** What an agent left for a person while the task waits, and the answer once there is one. Replaced or cleared by the next outcome. */
  readonly pendingPayload: PendingPayload | null;
  /** Counts every change; a write based on an older version is refused. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type PendingPayload = { readonly outcome: string; readonly payload: unknown; readonly response: unknown };

/** Appended, never changed. */
export type TaskNote = {
  readonly id: Id<'not'>;
  readonly taskId: Id<'tsk'>;
  readonly text: string;
  readonly author: Actor;
  readonly createdAt: string;
};

/** A file that belongs to the task; its bytes are kept under the home folder and found by `id`, never by `name`. */
export type Attachment = {
  readonly id: Id<'att'>;
  readonly taskId: Id<'tsk'>;
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
  readonly createdAt: string;
};

export type PhaseStatus = 'pending' | 'in_progress' | 'completed' | 'skipped';

/** A part of a task that was split; the parts are worked on one after another, in the order of `position`. */
export type TaskPhase = {
  readonly id: Id<'pha'>;
  readonly taskId: Id<'tsk'>;
  readonly name: string;
  readonly description: string;
  readonly status: PhaseStatus;
  readonly position: number;
};

export type ArtifactType = 'branch' | 'commit' | 'diff' | 'pull_request' | 'document' | 'mock' | 'link';

/** What a task left behind. `key` is unique within the task: collecting again adds nothing. */
export type Artifact = {
  readonly id: Id<'art'>;
  readonly taskId: Id<'tsk'>;
  readonly key: string;
  readonly phaseId: string | null;
  readonly runId: Id<'run'> | null;
  readonly type: ArtifactType;
  readonly label: string;
  readonly url: string | null;
  readonly content: string | null;
  readonly filePath: string | null;
  readonly createdBy: 'user' | 'agent' | 'system';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
};
