import type { Bubblewrap } from './find-sandbox.ts';
import type { NetworkPolicy } from './network/network-policy.ts';

/** What commands may touch, for all commands of one sandbox. */
export type SandboxPolicy = {
  readonly bubblewrap: Bubblewrap;
  /** Folders that commands may change; the first is the workspace. Never the whole file system. */
  readonly roots: ReadonlyArray<string>;
  /** Absent: this user's home folder, as the environment and as the system has it. */
  readonly homes?: ReadonlyArray<string>;
  /** Further files and folders that can't be read. */
  readonly denyRead?: ReadonlyArray<string>;
  /** Paths below the system's temporary folders that stay visible but can't be changed: programs that are kept there. */
  readonly readable?: ReadonlyArray<string>;
  /** Further files and folders of the roots that can't be changed, where they exist. */
  readonly denyWrite?: ReadonlyArray<string>;
  /** Absent, empty, or without a domain: no network at all. */
  readonly network?: NetworkPolicy;
  /** Where the sandbox keeps its own files. Absent: the system's temporary folder. */
  readonly scratch?: string;
  readonly maxProcesses?: number;
  /** Of one file that a command writes. Default 768 MiB. */
  readonly maxFileBytes?: number;
};

/** `readOnly`: this one may change nothing in the roots either. */
export type SandboxedCommand = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly readOnly?: true;
};
