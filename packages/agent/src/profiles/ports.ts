import type { Skills } from '../skills/skill-tool.ts';
import type { AgentToolOptions } from '../subagent/agent-tool.ts';
import type { PersistentShell } from '../tools/background/persistent-shell.ts';
import type { BackgroundShells } from '../tools/background/shells.ts';
import type { ApprovePlan } from '../tools/plan/exit-plan-mode.ts';
import type { SlashCommands } from '../tools/plan/slash-command.ts';
import type { SearchWeb } from '@attractor/pages/search';
import type { WebFetchOptions } from '../tools/web/tool.ts';
import type { Turn } from '../types/index.ts';

/**
 * What some tools need besides files and commands. A tool without its port is not offered, so a model never hears of something that can't
 * be done here.
 */
export type ToolPorts = {
  /** The conversation so far, from which the list of steps can be read again. */
  readonly history?: () => ReadonlyArray<Turn>;
  /** Lets commands run in the background. */
  readonly background?: BackgroundShells;
  /** Lets commands share one shell. A policy must then treat none of them as a mere read. */
  readonly persistentShell?: PersistentShell;
  /** Lets this process read web pages, whatever its commands may reach. */
  readonly web?: WebFetchOptions;
  /** Null: the tool is offered and answers that there is no search service. */
  readonly search?: SearchWeb | null;
  /** Lets agents of several types be started. */
  readonly agents?: AgentToolOptions;
  /** There is a plan mode, and this ends it. */
  readonly approvePlan?: ApprovePlan;
  readonly commands?: SlashCommands;
  readonly skills?: Skills;
};

export type ProfileOptions = {
  /**
   * `house`: the tools for files, search and commands have the same names in all profiles. `family`: they have the names and parameters
   * that the family's models know best from their makers' own agents. Absent: `house`.
   */
  readonly names?: 'house' | 'family';
  readonly ports?: ToolPorts;
};
