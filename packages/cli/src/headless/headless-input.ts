import type { HeldSession } from '@attractor/journal';
import type { PermissionRule } from '@attractor/policy';
import type { Sandbox } from '@attractor/confine';
import type { SessionSetup } from '@attractor/settings';
import type { LlmConfiguration } from '@attractor/llm';
import type { StopSignal } from '../terminal/stop-signal.ts';
import type { Line } from '@attractor/stream-json';
import type { HeadlessFlags } from './flags.ts';
import type { Listening } from './listening.ts';
import type { Progress } from './progress.ts';
import type { UserInput } from './read-user-line.ts';

export type HeadlessInput = {
  readonly flags: HeadlessFlags;
  /** Lazy: nothing is read before the session can listen. */
  readonly prompts: (listening: Listening) => AsyncIterable<UserInput>;
  readonly stop: StopSignal;
  readonly llm: LlmConfiguration;
  readonly provider: string;
  /** Undefined: the provider's default. */
  readonly model: string | undefined;
  readonly place: HeldSession;
  readonly cwd: string;
  readonly furtherFolders: ReadonlyArray<string>;
  /** Null: commands run on the machine itself. */
  readonly sandbox: Sandbox | null;
  /** From the flags. */
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly setup: SessionSetup;
  readonly write: (line: Line) => void;
  /** Shown to a person who waits; null if nobody sees it. */
  readonly progress: Progress | null;
  /** A line for the person. */
  readonly tell: (text: string) => void;
};
