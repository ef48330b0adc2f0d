import type { RegisteredTool, ToolContext } from '../../types/index.ts';
import { answering, failure, requiredText } from '../arguments.ts';

/** Shows a plan to a person. It may take days; when it resolves with an approval, plan mode has ended. */
export type ApprovePlan = (plan: string, context: ToolContext | undefined) => Promise<PlanAnswer>;

/** `plan`: as the person changed it. `feedback`: what should be different. `later`: nobody is there to decide now. */
export type PlanAnswer =
  | { readonly approved: true; readonly plan?: string }
  | { readonly approved: false; readonly feedback?: string }
  | { readonly approved: 'later'; readonly message: string };

/** Changes nothing itself: the answer decides what may change afterwards. */
export function createExitPlanModeTool(approve: ApprovePlan): RegisteredTool {
  return {
    definition: {
      name: 'exit_plan_mode',
      description:
        'Presents the plan to the person when it is ready, and asks whether to begin. Only for work that changes code; not for questions or research.',
      parameters: {
        type: 'object',
        properties: {
          plan: { type: 'string', minLength: 1, description: 'The plan in markdown, short and complete.' },
        },
        required: ['plan'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args, _env, context) => {
      const answer = await approve(requiredText(args, 'plan'), context);
      if (answer.approved === 'later') return answer.message;
      if (!answer.approved) {
        const feedback = answer.feedback === undefined ? '' : ` They said:\n${answer.feedback}`;
        return failure(`The person did not approve the plan: stay in plan mode and change nothing.${feedback}`);
      }
      return answer.plan === undefined
        ? 'The person approved the plan: begin.'
        : `The person approved the plan with changes: begin with this one.\n${answer.plan}`;
    }),
    readOnly: true,
    serial: true,
  };
}
