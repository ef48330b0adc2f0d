import type { TaskFieldColumns } from '@attractor/facts';
import type { Generated } from 'kysely';
import type {
  Actor,
  AgentRunMode,
  AgentRunStatus,
  Artifact,
  ArtifactType,
  EventCategory,
  PhaseStatus,
  PlatformEvent,
  Prompt,
  PromptType,
  RunStep,
} from '../types/index.ts';
import type { RunArchiveRow } from './archive-rows.ts';
import type { CallKeyRow } from './call-rows.ts';
import type { DeliveryRow, NotifyCursorRow, PromptReplyRow } from './notify-rows.ts';
import type { CriterionRow, SplitRow } from './outcome-rows.ts';
import type { ApiKeyRow, AuditRow, EndedSessionRow, UserRow } from './people-rows.ts';
import type { JobLabelRow, JobRow, QueueLaneRow, QueueLimitRow, ScheduleRow, WorkerRow } from './queue-rows.ts';
import type { SpendTables } from './spend-rows.ts';
import type { ProviderLimitRow, SupervisionRow, SupervisorMarkRow } from './supervise-rows.ts';

/**
 * The tables as stored. JSON is in TEXT columns and parsed where a row becomes a value (one file for each noun).
 * `events.seq` never repeats; `(run_id, key)` is unique, so that a message repeated after a crash is stored once.
 */
export type Schema = SpendTables & {
  projects: ProjectRow;
  project_keys: ProjectKeyRow;
  pipelines: PipelineRow;
  tasks: TaskRow;
  runs: RunRow;
  run_steps: RunStepRow;
  run_files: RunFileRow;
  run_archives: RunArchiveRow;
  artifacts: ArtifactRow;
  prompts: PromptRow;
  events: EventRow;
  transition_history: HistoryRow;
  jobs: JobRow;
  task_tags: TaskTagRow;
  task_dependencies: DependencyRow;
  task_notes: NoteRow;
  task_messages: MessageRow;
  task_splits: SplitRow;
  task_criteria: CriterionRow;
  attachments: AttachmentRow;
  task_phases: PhaseRow;
  templates: TemplateRow;
  job_labels: JobLabelRow;
  queue_lanes: QueueLaneRow;
  queue_limits: QueueLimitRow;
  schedules: ScheduleRow;
  unmerged_work: { task_id: string };
  notify_cursors: NotifyCursorRow;
  deliveries: DeliveryRow;
  prompt_replies: PromptReplyRow;
  outbox: OutboxRow;
  pull_requests: PullRequestRow;
  provider_limits: ProviderLimitRow;
  supervision: SupervisionRow;
  users: UserRow;
  api_keys: ApiKeyRow;
  ended_sessions: EndedSessionRow;
  audit: AuditRow;
  supervisor_marks: SupervisorMarkRow;
  workers: WorkerRow;
  call_keys: CallKeyRow;
};

/** In an order in which each row's references come before it: rows are moved in this order, and deleted in reverse. */
export const TABLES = [
  'projects',
  'project_keys',
  'pipelines',
  'templates',
  'tasks',
  'task_tags',
  'task_dependencies',
  'task_notes',
  'task_messages',
  'task_splits',
  'task_criteria',
  'attachments',
  'task_phases',
  'runs',
  'run_steps',
  'run_files',
  'run_archives',
  'artifacts',
  'prompts',
  'events',
  'transition_history',
  'jobs',
  'job_labels',
  'queue_lanes',
  'queue_limits',
  'schedules',
  'run_usage',
  'run_meters',
  'reservations',
  'budgets',
  'attempt_groups',
  'attempts',
  'notify_cursors',
  'deliveries',
  'prompt_replies',
  'outbox',
  'pull_requests',
  'provider_limits',
  'supervisor_marks',
  'users',
  'api_keys',
  'ended_sessions',
  'audit',
] as const satisfies ReadonlyArray<keyof Schema>;

export type ProjectRow = {
  id: string;
  name: string;
  path: string;
  description: string;
  default_branch: string;
  trusted_config_hash: string | null;
  created_at: string;
  config: string;
  key: string;
  /** The highest number that a task of it was given. */
  last_number: Generated<number>;
};

/** Every prefix that a project has or had. */
export type ProjectKeyRow = { key: string; project_id: string };

export type PipelineRow = { id: string; version: number; is_default: number; definition: string; created_at: string };

export type TaskRow = TaskFieldColumns & {
  id: string;
  project_id: string;
  status: string;
  pipeline_version: number;
  /** What a person chose for every run of this task (model, checks …); only a single run's own configuration is stronger. */
  overrides: string;
  version: number;
  created_at: string;
  updated_at: string;
  sort_order: number;
  pending_payload: string | null;
  key: string;
  number: number;
};

/** A copy of `tasks.tags` for searching. */
export type TaskTagRow = { task_id: string; tag: string };

export type DependencyRow = { task_id: string; depends_on_id: string; created_at: string };

export type NoteRow = { id: string; task_id: string; body: string; author: string; created_at: string };

/** `run_id`, `via` and `delivered_at` are set when an agent gets it. */
export type MessageRow = {
  id: string;
  task_id: string;
  body: string;
  interrupts: number;
  author: string;
  created_at: string;
  run_id: string | null;
  via: string | null;
  delivered_at: string | null;
};

export type AttachmentRow = {
  id: string;
  task_id: string;
  name: string;
  media_type: string;
  size: number;
  sha256: string;
  created_at: string;
};

export type PhaseRow = {
  id: string;
  task_id: string;
  name: string;
  description: string;
  status: PhaseStatus;
  position: number;
  created_at: string;
};

export type TemplateRow = { id: string; name: string; description: string; fields: string; created_at: string };

export type RunRow = {
  id: string;
  task_id: string;
  project_id: string;
  agent_type: string;
  mode: AgentRunMode;
  status: AgentRunStatus;
  model: string;
  outcome: string | null;
  payload: string | null;
  token_usage: string | null;
  checks: string;
  branch: string | null;
  worktree: string | null;
  duration_ms: number | null;
  error: string | null;
  started_at: string;
  finished_at: string | null;
  /** Parameters of the hook that started it, then what the person chose: layers four and five of its configuration. */
  hook_params: string;
  overrides: string;
  cancel_requested: number;
  /** What an earlier run did not finish, as JSON; null for a first try. */
  retry: string | null;
  /** Where it was last worked on: machine and home. */
  workplace: string | null;
  /** 0, or the number among several attempts at one task: each may run beside the others. */
  attempt: Generated<number>;
  key: string;
  number: number;
};

export type RunStepRow = { run_id: string; step: RunStep; ok: number; result: string; finished_at: string };

/** A piece of a file that a run's agent keeps, as base64: those of one path make up the file, in the order of `start`. */
export type RunFileRow = { run_id: string; path: string; start: number; content: string };
export type ArtifactRow = {
  id: string;
  task_id: string;
  run_id: string | null;
  /** Unique within the task: collecting again adds nothing. */
  key: string;
  type: ArtifactType;
  label: string;
  url: string | null;
  metadata: string;
  created_at: string;
  phase_id: string | null;
  content: string | null;
  file_path: string | null;
  created_by: Artifact['createdBy'];
};

export type PromptRow = {
  id: string;
  task_id: string;
  run_id: string | null;
  /** Unique within the run: the same question after a crash is the same prompt. */
  key: string | null;
  type: PromptType;
  title: string;
  payload: string;
  content_hash: string;
  status: Prompt['status'];
  answer: string | null;
  created_at: string;
  answered_at: string | null;
  /** The prompt's name for people; `key` is the question's name in its run. */
  short_key: string;
  number: number;
};

export type EventRow = {
  seq: Generated<number>;
  id: string;
  at: string;
  project_id: string;
  task_id: string | null;
  run_id: string | null;
  key: string | null;
  category: EventCategory;
  type: string;
  level: PlatformEvent['level'];
  summary: string;
  data: string;
  actor: string;
  actor_type: Actor['type'];
};

export type HistoryRow = {
  id: Generated<number>;
  task_id: string;
  transition_id: string;
  from_status: string;
  to_status: string;
  trigger: string;
  actor: string;
  reason: string | null;
  payload: string | null;
  guards_checked: string;
  hooks_executed: string;
  at: string;
};

/** A side effect outside the database: see `store/outbox.ts`. */
export type OutboxRow = {
  id: string;
  seq: number;
  project_id: string;
  task_id: string;
  run_id: string | null;
  key: string;
  kind: string;
  payload: string;
  needs: string | null;
  state: 'waiting' | 'running' | 'done' | 'failed';
  owner: string | null;
  fence: number;
  /** Milliseconds of the store's clock, as is `not_before`. */
  lease_until: number | null;
  not_before: number | null;
  attempts: number;
  result: string | null;
  error: string | null;
  actor: string;
  created_at: string;
  finished_at: string | null;
};

/** A pull request that we keep ourselves, if no forge does. */
export type PullRequestRow = {
  id: string;
  project_id: string;
  number: number;
  title: string;
  body: string;
  state: 'draft' | 'open' | 'merged' | 'closed';
  head_branch: string;
  base_branch: string;
  head_commit: string | null;
  merge_commit: string | null;
  comments: string;
  created_at: string;
  merged_at: string | null;
};
