import type { AgentSession } from '@attractor/agent';
import type { SessionSetup } from '@attractor/settings';
import type { Line, Tally } from '@attractor/stream-json';
import type { LineCount } from '../changed-lines.ts';
import type { LiveWishes } from '../service-wishes.ts';
import type { Fields } from './channel.ts';
import type { GivenRules } from './given-rules.ts';
import type { HostServers } from './host-servers.ts';

/** What a program at the other end of the pipes may act on. */
export type Controlled = {
  readonly session: AgentSession;
  readonly write: (line: Line) => void;
  readonly version: string;
  readonly hostServers: HostServers;
  /** Variables that the text of a server may name. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Tells what no longer runs. */
  readonly lookAtTasks: () => void;
  /** Stops the prompt under way. */
  readonly cancel: () => void;
  /** Whether the run may switch to `bypassPermissions`: it was started so, or the person allowed it. */
  readonly mayBypass: boolean;
  readonly initialModel: string;
  /** Whether the program is told what the model thinks. */
  readonly show: LiveWishes['show'];
  /** Takes the files back to before the prompt of this name, or only looks. */
  readonly rewindFiles: (id: string, how: 'look' | 'do') => Promise<ControlOutcome>;
  readonly usage: () => SessionUsage;
  readonly setup: SessionSetup;
  readonly given: GivenRules;
  /** What the program says once more about itself. */
  readonly initializeAgain: (request: Fields) => ControlOutcome;
};

/** What the session used so far. */
export type SessionUsage = {
  readonly tally: Tally;
  readonly apiMs: number;
  readonly durationMs: number;
  readonly lines: LineCount;
};

/** Requests to the program that it has not answered go along with what it is told when it begins again. */
export type ControlOutcome =
  | { readonly response: Fields; readonly pending_permission_requests?: ReadonlyArray<Line> }
  | { readonly error: string; readonly error_code?: string };

/** Answers one kind of request. */
export type Answer = (controlled: Controlled, request: Fields) => ControlOutcome | Promise<ControlOutcome>;
