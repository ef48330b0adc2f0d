import type { ReasoningEffort } from '@attractor/llm';
import type { PermissionMode } from '@attractor/policy';
import type { Sourced } from '../settings/origin.ts';

/**
 * A type of agent that another one may start for a part of its work. `tools` names what it may use (by any name that a profile gives them);
 * absent: everything its parent has. Absent model, effort and limit: its
 * parent's. Nothing here gives it more than its parent has.
 */
export type AgentDefinition = {
  readonly name: string;
  /** When to use it, for the model that chooses. */
  readonly description: string;
  /** Its system text. */
  readonly prompt: string;
  readonly tools?: ReadonlyArray<string>;
  /** Rules such as `Bash(git push *)`: what it may never do. Tools that are denied as a whole are not shown to it. */
  readonly disallowedTools?: ReadonlyArray<string>;
  readonly permissionMode?: PermissionMode;
  readonly model?: string;
  readonly effort?: ReasoningEffort;
  readonly maxTurns?: number;
  /** It makes its conversation shorter once that holds so many tokens, if its model's window is no smaller. */
  readonly window?: number;
  /** Skills that it has read before it begins, by name. */
  readonly skills?: ReadonlyArray<string>;
  /** Said before the first input of a session that is opened as this agent. */
  readonly initialPrompt?: string;
  /** Its session goes on without waiting for it, and gets its report when it is done. */
  readonly background?: boolean;
  /** It is not told the instruction files of the person and the project. */
  readonly omitsDocs?: boolean;
  /** It works in a checkout of its own. */
  readonly isolation?: 'worktree';
  /** It remembers what it learns from session to session: for this person, or for this project, shared or not. */
  readonly memory?: 'user' | 'project' | 'local';
  /** Servers that are started for it alone, as they are written. */
  readonly servers?: ReadonlyMap<string, Sourced<unknown>>;
};
