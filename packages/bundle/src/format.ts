import type { JournalRecord } from '@attractor/journal';
import type { AgentRun, Artifact, CheckResult, PlatformEvent, RunRequest, Task } from '@attractor/store';

/**
 * A bundle is gzip of JSON lines:
 *
 *   header   {"attractor":"run","v":1,"runId","madeAt","isFinished"}
 *   parts    {"part":NAME, …}, in the order of `BundlePart`; readers ignore parts that they do not know
 *   end      {"end":true,"lines","sha256"}: how many lines precede it, and the hash of their bytes
 *
 * Nothing in it is unredacted, and a file without its end is no bundle.
 */
export const BUNDLE_VERSION = 1;

export type BundleHeader = {
  readonly attractor: 'run';
  readonly v: number;
  readonly runId: string;
  readonly madeAt: string;
  /** False: the run had not ended yet; what it did later is missing. */
  readonly isFinished: boolean;
};

export type BundleEnd = { readonly end: true; readonly lines: number; readonly sha256: string };

/** Text, or bytes that are none as base64. Several lines of one thing are joined in order. */
export type Piece = { readonly text: string } | { readonly base64: string };

export type BundlePart =
  | { readonly part: 'versions'; readonly value: Versions }
  | { readonly part: 'run'; readonly value: AgentRun }
  | { readonly part: 'task'; readonly value: Task }
  | { readonly part: 'project'; readonly value: { readonly id: string; readonly name: string; readonly path: string } }
  | { readonly part: 'settings'; readonly value: RunSettings }
  /** What the agent was told, in full. */
  | { readonly part: 'prompt'; readonly value: { readonly text: string; readonly outcomes: ReadonlyArray<unknown> } }
  /** Of the run, and of its task where no other run is meant. */
  | { readonly part: 'event'; readonly value: PlatformEvent }
  /** Of the agent's own journal; `journal` is `session`, or the name of a subagent. */
  | { readonly part: 'record'; readonly journal: string; readonly value: JournalRecord }
  | { readonly part: 'change'; readonly value: Change }
  /** `whole`: from the base to the head; `before`: from the base to where the run began, if another run was there first. */
  | ({ readonly part: 'patch'; readonly of: 'whole' | 'before' } & Piece)
  | { readonly part: 'check'; readonly value: CheckResult }
  /** The output of the check with this place among the checks, as far as it was kept. */
  | ({ readonly part: 'check_output'; readonly of: number } & Piece)
  | { readonly part: 'artifact'; readonly value: Artifact }
  | { readonly part: 'usage'; readonly value: unknown }
  | ({ readonly part: 'base_file'; readonly path: string; readonly mode: FileMode } & Piece)
  | { readonly part: 'base'; readonly value: Base }
  /** What is not here, and why. */
  | { readonly part: 'missing'; readonly text: string };

/** Of the machine that wrote the bundle. */
export type Versions = {
  readonly attractor: string;
  readonly node: string;
  readonly git: string;
  readonly os: string;
  readonly agent: string;
  readonly model: string;
};

/** How the run was asked for, and what came of that: limits, permission mode and effort are in `config`. */
export type RunSettings = {
  readonly agentType: string;
  readonly mode: AgentRun['mode'];
  readonly config: Readonly<Record<string, unknown>>;
  /** From which layer each value of the configuration is. */
  readonly origins: Readonly<Record<string, unknown>>;
  readonly request: RunRequest;
};

/** The commits are those of the project's repository; null where the run did not get that far. */
export type Change = {
  readonly branch: string | null;
  readonly baseBranch: string | null;
  readonly baseCommit: string | null;
  readonly startCommit: string | null;
  readonly headCommit: string | null;
};

export type FileMode = '100644' | '100755' | '120000';

/** The tree of the base commit, whose files precede this. In the `masked` ones secrets were replaced. */
export type Base = {
  readonly commit: string;
  readonly tree: string;
  readonly files: number;
  readonly masked: ReadonlyArray<string>;
};
