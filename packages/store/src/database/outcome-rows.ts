import type { AgentRunMode } from '../types/index.ts';

/** `subtasks` is JSON; `settled_at` is set when the task need not wait for them any more. */
export type SplitRow = {
  id: string;
  task_id: string;
  run_id: string | null;
  mode: AgentRunMode | null;
  subtasks: string;
  created_at: string;
  settled_at: string | null;
};

/** `mark` is what a person decided, `claim` what an agent reported last and the server found; both are JSON. */
export type CriterionRow = {
  task_id: string;
  number: number;
  body: string;
  mark: string | null;
  claim: string | null;
  removed_at: string | null;
};
