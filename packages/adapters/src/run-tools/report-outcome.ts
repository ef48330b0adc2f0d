import type { RegisteredTool } from '@attractor/agent';
import type { AgentRunOptions, OutcomeChoice } from '../agent.ts';

export const REPORT_OUTCOME = 'report_outcome';

export type Report = { readonly outcome: string; readonly payload: unknown };

/** Which outcomes a run may report, and how their payloads are judged. */
export type ReportRules = Pick<AgentRunOptions, 'outcomes' | 'judgeOutcome'>;

/**
 * The tool by which an agent ends its run. It changes nothing by itself: the call in the journal is the report, so it survives a crash at
 * any point after the model made it.
 */
export function reportOutcomeTool(rules: ReportRules): RegisteredTool {
  return {
    definition: {
      name: REPORT_OUTCOME,
      description: describe(rules.outcomes),
      parameters: {
        type: 'object',
        properties: {
          outcome: { type: 'string', enum: rules.outcomes.map((choice) => choice.outcome) },
          payload: { type: 'object', description: 'What belongs to the outcome.' },
        },
        required: ['outcome'],
      },
    },
    executor: async (args) => {
      const judged = readReport(args, rules);
      return 'problem' in judged ? { output: judged.problem, isError: true } : 'Recorded. End your turn now.';
    },
    readOnly: true,
  };
}

/** The same judgement when the call is made and when it is read back from the journal. */
export function readReport(
  args: Readonly<Record<string, unknown>>,
  { outcomes, judgeOutcome }: ReportRules,
): Report | { readonly problem: string } {
  const { outcome, payload = null } = args;
  const choice = outcomes.find((candidate) => candidate.outcome === outcome);
  if (choice === undefined) {
    return { problem: `The outcome must be one of ${outcomes.map((candidate) => candidate.outcome).join(', ')}.` };
  }
  const problem = judgeOutcome?.(choice.outcome, payload) ?? null;
  return problem === null ? { outcome: choice.outcome, payload } : { problem };
}

function describe(choices: ReadonlyArray<OutcomeChoice>): string {
  const lines = choices.map(({ outcome, description, payloadSchema }) => {
    const payload = payloadSchema === null ? '' : ` Payload: ${JSON.stringify(payloadSchema)}`;
    return `- ${outcome}: ${description}${payload}`;
  });
  return `Reports how the work ended. Call it exactly once, at the very end. Outcomes:\n${lines.join('\n')}`;
}
