import type { Plan, PlanEntryStatus } from '@agentclientprotocol/sdk/unstable';
import type { Step } from '@attractor/tool-table';

/** The agent's list of steps as the plan of an editor. */
export function planOf(steps: ReadonlyArray<Step>): Plan {
  return {
    entries: steps.map(({ text, status }) => ({ content: text, priority: 'medium', status: statusOf(status) })),
  };
}

const STATUSES: Readonly<Record<string, PlanEntryStatus>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  cancelled: 'completed',
};

function statusOf(status: string): PlanEntryStatus {
  return STATUSES[status] ?? 'pending';
}
