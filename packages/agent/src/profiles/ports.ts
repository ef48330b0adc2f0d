import type { Skills } from '../skills/skill-tool.ts';
import type { AgentToolOptions } from '../subagent/agent-tool.ts';
import type { PersistentShell } from '../tools/background/persistent-shell.ts';
import type { BackgroundShells } from '../tools/background/shells.ts';
import type { ApprovePlan } from '../tools/plan/exit-plan-mode.ts';
import type { SlashCommands } from '../tools/plan/slash-command.ts';
import type { SearchWeb } from '../tools/web/search.ts';
import type { WebFetchOptions } from '../tools/web/tool.ts';
import type { Turn } from '../types/index.ts';

/**
 * What some tools need besides files and commands. A tool whose port is missing is not offered, so that a model is never told of
 * something that can't be done here.
 */
export type ToolPorts = {
  /** The conversation so far: the list of steps can be read again. */
  readonly history?: () => ReadonlyArray<Turn>;
  /** Commands may go on in the background. */
  readonly background?: BackgroundShells;
  /** Commands share one shell. A policy must then take none of them for a mere read. */
  readonly persistentShell?: PersistentShell;
  /** Pages of the web may be read, by this process, whatever its commands may reach. */
  readonly web?: WebFetchOptions;
  /** Null: the tool is there and says that no service is. */
  readonly search?: SearchWeb | null;
  /** Agents of several kinds may be started. */
  readonly agents?: AgentToolOptions;
  /** There is a plan mode, and this is the way out of it. */
  readonly approvePlan?: ApprovePlan;
  readonly commands?: SlashCommands;
  readonly skills?: Skills;
};

export type ProfileOptions = {
  /**
   * `house`: the tools for files, search and commands have the same names in all profiles. `family`: names and parameters are those
   * that the family's models know best from their makers' own agents. Absent: `house`.
   */
  readonly names?: 'house' | 'family';
  readonly ports?: ToolPorts;
};
