import { withoutMarkers } from '../outcomes/markers.ts';
import { fenced } from './fence.ts';
import type { AgentRun } from '@attractor/store';
import type { ContextItem } from './fit-budget.ts';

const SAID = 3000;
const CHECK_OUTPUT = 2000;

/** The results of earlier runs, oldest first; for the last one also its final text and the output of its failed checks. */
export function describeRuns(runs: ReadonlyArray<AgentRun>, lastWords: string): ReadonlyArray<ContextItem> {
  const items = runs.map((run): ContextItem => ({ text: summaryOf(run) }));
  const last = runs.at(-1);
  if (last === undefined) return items;
  const said = withoutMarkers(lastWords);
  return [
    ...items,
    ...(said === ''
      ? []
      : [
          {
            text: tail(said, SAID),
            render: (text: string) => `The last of them ended with these words:\n${fenced(text, 'words')}`,
          },
        ]),
    ...failedChecks(last).map(({ name, command, output }) => ({
      text: tail(output, CHECK_OUTPUT),
      render: (text: string) => `Its check ${name} (\`${command}\`) failed with:\n${fenced(text, 'output')}`,
    })),
  ];
}

function summaryOf(run: AgentRun): string {
  const failed = failedChecks(run).map(({ name }) => name);
  const notes = [
    run.outcome === null ? null : `outcome ${run.outcome}`,
    run.error === null ? null : `error: ${run.error}`,
    failed.length > 0 ? `failed checks: ${failed.join(', ')}` : null,
  ];
  return `- ${run.mode}: ${[run.status, ...notes].filter((note) => note !== null).join('; ')}`;
}

function failedChecks({ checks }: AgentRun): AgentRun['checks'] {
  return checks.filter(({ phase, passed }) => phase === 'branch' && !passed);
}

function tail(text: string, length: number): string {
  return text.length <= length ? text : `… ${text.length - length} characters left out …\n${text.slice(-length)}`;
}
