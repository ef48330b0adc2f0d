import type { Bubblewrap } from './find-sandbox.ts';
import type { NetworkPolicy } from './network/network-policy.ts';

/** What commands may touch, for all commands of one sandbox. */
export type SandboxPolicy = {
  readonly bubblewrap: Bubblewrap;
  /** Folders that commands may change; the first is the workspace. Never the whole file system. */
  readonly roots: ReadonlyArray<string>;
  /** Absent: this user's home folder, from the environment and from the system. */
  readonly homes?: ReadonlyArray<string>;
  /** Further files and folders that can't be read. */
  readonly denyRead?: ReadonlyArray<string>;
  /** Paths below the system's temporary folders that stay visible but can't be changed: programs that are kept there. */
  readonly readable?: ReadonlyArray<string>;
  /** Further files and folders of the roots that can't be changed, if they exist. */
  readonly denyWrite?: ReadonlyArray<string>;
  /** Paths that commands may make and change although their names are protected, or although they lie outside the roots. */
  readonly allowWrite?: ReadonlyArray<string>;
  /** Where it is written down what was there before a command, for the next process should this one be killed. */
  readonly records?: string;
  /** Absent, empty, or without a domain: no network at all. */
  readonly network?: NetworkPolicy;
  /** Where the sandbox keeps its own files. Absent: the system's temporary folder. */
  readonly scratch?: string;
  readonly maxProcesses?: number;
  /** The limit for one file that a command writes. Default 768 MiB. */
  readonly maxFileBytes?: number;
};

/** What it sees never depends on its words: `argv` may be a text that a model wrote. */
export type SandboxedCommand = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** This one may change nothing in the roots either. */
  readonly readOnly?: true;
  /** As in the policy, for this one alone: see `programFiles`. */
  readonly readable?: ReadonlyArray<string>;
  /**
   * For a program that a person configured: folders of its own that it may change, and a socket of ours, which is at `SOCKET_GIVEN`
   * inside. Never for a model's command.
   */
  readonly given?: { readonly folders: ReadonlyArray<string>; readonly socket?: string };
  /** The one descriptor beside its three streams that it is given. */
  readonly descriptor?: number | undefined;
};

/** Where a command finds the socket that it was given. */
export const SOCKET_GIVEN = '/run/attractor-given.sock';
