import type { PermissionMode } from '@attractor/policy';
import type { ToolPorts } from '@attractor/agent';

/** The result of a run in plan mode: the plan that answers the last prompt. */
export type PresentedPlan = {
  readonly ports: Pick<ToolPorts, 'approvePlan'>;
  /** Null: none was presented. */
  readonly text: () => string | null;
  readonly forget: () => void;
};

export function createPresentedPlan(mode: PermissionMode): PresentedPlan {
  let plan: string | null = null;
  return {
    ports:
      mode === 'plan'
        ? {
            approvePlan: async (presented) => {
              plan = presented;
              return { approved: 'later', message: NOBODY_APPROVES };
            },
          }
        : {},
    text: () => plan,
    forget: () => {
      plan = null;
    },
  };
}

const NOBODY_APPROVES =
  'A person must approve the plan, and nobody is here: it is the result of this run, and the work begins when a person says so in another one. End now, and do not repeat the plan.';
