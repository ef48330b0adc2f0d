import type { ChildRights } from '../policy/index.ts';
import type { Session } from '../session/contract.ts';
import type { AgentDefinition } from './agent-definition.ts';

/** What a model asks for. Absent model and limit: the parent's. */
export type SpawnOrder = {
  readonly id: string;
  readonly instruction: string;
  readonly model?: string;
  readonly maxTurns?: number;
  /** Of which kind it is; absent: of its parent's. */
  readonly agent?: AgentDefinition;
};

export type ChildOrder = SpawnOrder & { readonly childSessionId: string };

/** How a child of a kind is held shorter than its parent; it never has more. */
export function rightsOf({ agent }: SpawnOrder): ChildRights {
  return agent?.tools === undefined ? {} : { tools: agent.tools };
}

/** Makes the child's session, or goes on with the one that its journal holds. It does nothing yet. */
export type OpenChild = (order: ChildOrder) => Session;
