import type { HeldSession } from '@attractor/journal';
import type { PermissionRule } from '@attractor/policy';
import type { Sandbox } from '@attractor/confine';
import type { SessionSetup } from '@attractor/settings';
import type { LlmConfiguration } from '@attractor/llm';
import type { DeliveredEvent } from '@attractor/journal';
import type { Line } from '@attractor/stream-json';
import type { ControlChannel } from './control/channel.ts';
import type { HeadlessOptions } from './headless-options.ts';
import type { InputLines } from './input/input-lines.ts';
import type { UserInputs } from './input/user-inputs.ts';

/** Where a program keeps a copy of each session, as transcripts of Claude Code. */
export type Mirror = {
  /** Its path names the session; it is not written here. */
  readonly fileOf: (sessionId: string) => string;
  /** The uuids of the entries that the copy has already. */
  readonly namesIn: (sessionId: string) => ReadonlySet<string>;
};

export type HeadlessInput = {
  readonly flags: HeadlessOptions;
  readonly inputs: UserInputs;
  /** The other end of the pipes. Null: stdin carries no lines. */
  readonly control: { readonly lines: InputLines; readonly channel: ControlChannel } | null;
  /** A request to stop the run. */
  readonly signal: AbortSignal;
  readonly llm: LlmConfiguration;
  readonly provider: string;
  /** Undefined: the provider's default. */
  readonly model: string | undefined;
  readonly place: HeldSession;
  /** For another conversation in place of this one. */
  readonly newPlace: () => HeldSession;
  readonly cwd: string;
  readonly furtherFolders: ReadonlyArray<string>;
  /** Null: commands run on the machine itself. */
  readonly sandbox: Sandbox | null;
  /** From the flags. */
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly setup: SessionSetup;
  readonly version: string;
  /** Who keeps a copy of what is said; null: nobody. */
  readonly mirror: Mirror | null;
  readonly write: (line: Line) => void;
  /** Shown to a person who waits; null if nobody sees it. */
  readonly progress: { readonly see: (event: DeliveredEvent) => void; readonly stop: () => void } | null;
  /** Lines for the person, told once the service is known to answer: who can't be asked is told that alone. */
  readonly notes: ReadonlyArray<string>;
  /** A line for the person. */
  readonly tell: (text: string) => void;
};
