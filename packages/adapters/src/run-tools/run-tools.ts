import type { AgentRunOptions } from '../agent.ts';
import { ASK_HUMAN, ASK_HUMAN_TOOL, askHuman } from './ask-human.ts';
import { readReport, REPORT_OUTCOME, type Report, reportOutcomeTool } from './report-outcome.ts';

export type RunToolAnswer = { readonly text: string; readonly isError: boolean };

/** The two tools by which a foreign agent reaches the run that it works for. Which run that is was decided when they were made. */
export type RunTools = {
  readonly list: () => ReadonlyArray<object>;
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => Promise<RunToolAnswer>;
  /** The last valid report, and the last one that was refused and not made good. */
  readonly report: () => Report | null;
  readonly refused: () => { readonly outcome: string; readonly problem: string } | null;
};

type Kept = { readonly reported: Report | null; readonly keepReport: (report: Report) => void };

/** The server's name; agents call its tools `mcp__attractor__…` or similar. */
export const SERVER_NAME = 'attractor';

export function createRunTools(
  options: Pick<AgentRunOptions, 'outcomes' | 'judgeOutcome' | 'approve'>,
  { reported, keepReport }: Kept,
): RunTools {
  let [report, questions] = [reported, 0];
  let refused: ReturnType<RunTools['refused']> = null;
  const { definition } = reportOutcomeTool(options);
  const take = (args: Readonly<Record<string, unknown>>): RunToolAnswer => {
    const judged = readReport(args, options);
    if ('problem' in judged) {
      refused = { outcome: String(args['outcome']), problem: judged.problem };
      return { text: judged.problem, isError: true };
    }
    [report, refused] = [judged, null];
    keepReport(judged);
    return { text: 'Recorded. End your turn now.', isError: false };
  };
  return {
    list: () => [
      { name: REPORT_OUTCOME, description: definition.description, inputSchema: definition.parameters },
      ASK_HUMAN_TOOL,
    ],
    call: async (name, args) => {
      if (name === REPORT_OUTCOME) return take(args);
      if (name === ASK_HUMAN) return askHuman(options, { toolCallId: `ask-${(questions += 1)}`, args });
      return { text: `There is no tool ${JSON.stringify(name)} here.`, isError: true };
    },
    report: () => report,
    refused: () => refused,
  };
}

/**
 * Whether an agent's own name for a tool means one of these: `mcp__attractor__ask_human`, `attractor_ask_human`, `ask_human (attractor MCP
 * Server)` … The name is the whole of it: a command that ends in these words is a command.
 */
export function isRunTool(toolName: string): boolean {
  return NAMES.test(toolName.trim());
}

const NAMES =
  /^(?:(?:mcp__)?attractor(?:__|[._:/ -]+)(?:report_outcome|ask_human)|(?:report_outcome|ask_human) \(attractor(?: mcp server)?\))$/i;
