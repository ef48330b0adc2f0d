import type { PermissionMode } from '@attractor/policy';
import type { ToolPorts } from '@attractor/agent';
import { carryOutBeside, type Decide, type DecisionEffects } from './control/can-use-tool.ts';

/** The result of a run in plan mode: the plan that answers the last prompt. */
export type PresentedPlan = {
  readonly ports: Pick<ToolPorts, 'approvePlan'>;
  /** Null: none was presented. */
  readonly text: () => string | null;
  readonly forget: () => void;
};

export type PlanQuestion = {
  readonly mode: PermissionMode;
  /** Null: nobody can approve a plan here. */
  readonly decide: Decide | null;
  readonly effects: DecisionEffects;
};

export function createPresentedPlan({ mode, decide, effects }: PlanQuestion): PresentedPlan {
  let plan: string | null = null;
  const later: ToolPorts['approvePlan'] = async (presented) => {
    plan = presented;
    return { approved: 'later', message: NOBODY_APPROVES };
  };
  const approvePlan = decide === null ? (mode === 'plan' ? later : undefined) : approvedBy(decide, effects);
  return {
    ports: approvePlan === undefined ? {} : { approvePlan },
    text: () => plan,
    forget: () => {
      plan = null;
    },
  };
}

/** An approved plan ends plan mode; what changes files is then asked about again, unless the answer says how to go on. */
function approvedBy(decide: Decide, effects: DecisionEffects): NonNullable<ToolPorts['approvePlan']> {
  return async (plan, context) => {
    const call = context?.toolCallId === undefined ? {} : { tool_use_id: context.toolCallId };
    const signal = context?.signal ?? new AbortController().signal;
    const answer = await decide({ tool_name: 'ExitPlanMode', input: { plan }, ...call }, signal);
    const isApproved = !('failure' in answer) && answer['behavior'] === 'allow';
    if (isApproved) effects.setMode('default');
    if (!('failure' in answer)) carryOutBeside(answer, effects);
    if (isApproved) return { approved: true };
    const feedback = 'failure' in answer ? answer['failure'] : answer['message'];
    return { approved: false, ...(typeof feedback === 'string' ? { feedback } : {}) };
  };
}

const NOBODY_APPROVES =
  'A person must approve the plan, and nobody is here: it is the result of this run, and the work begins when a person says so in another one. End now, and do not repeat the plan.';
