import { defined, isRecord } from '@attractor/base';
import {
  type Actor,
  askOf,
  findRun,
  isDataOf,
  listArtifacts,
  type PipelineDefinition,
  type Task,
  type TransitionOption,
  type Trigger,
  type Tx,
} from '@attractor/store';
import { askPerson } from './ask-person.ts';

/** What could not be placed: the trigger, what an agent reported with it, and the transitions that a person can take from here. */
export type Unplaced = {
  readonly task: Task;
  readonly pipeline: PipelineDefinition;
  readonly trigger: Trigger;
  readonly payload: unknown;
  readonly reason: string | null;
  readonly runId: string | null;
  readonly actor: Actor;
  readonly ways: ReadonlyArray<TransitionOption>;
};

/**
 * The pipeline has no transition for what happened, so a person decides: an agent's question is asked as it is, anything else is told with
 * the ways that lead on. The task stays where it is until then.
 */
export async function askWhereTo(tx: Tx, unplaced: Unplaced): Promise<void> {
  const { task, runId, actor } = unplaced;
  const run = runId === null ? null : await findRun(tx, runId);
  const again = defined({ again: run?.mode });
  const branch = (await listArtifacts(tx, task.id)).findLast(({ type }) => type === 'branch')?.label ?? null;
  const { title, ask } = contentOf(unplaced, { ...again, branch });
  await askPerson(
    tx,
    { taskId: task.id, runId: run?.id ?? null, key: null, title: `${title}: ${task.title}`, ...ask },
    { projectId: task.projectId, actor },
  );
}

type Again = { readonly again?: string };
type Left = Again & { readonly branch: string | null };

function contentOf(unplaced: Unplaced, { branch, ...again }: Left) {
  const { trigger, payload } = unplaced;
  const outcome = trigger.type === 'agent_outcome' ? trigger.outcome : null;
  const fields = isRecord(payload) ? payload : {};
  if (outcome === 'needs_info')
    return { title: 'The agent needs answers', ask: askOf('question', { ...fields, ...again }) };
  if (outcome === 'options_proposed') return { title: 'Choose a way', ask: askOf('options', { ...fields, ...again }) };
  if (outcome === 'propose_split' && isDataOf('split.proposed', payload))
    return { title: 'Split the task', ask: askOf('split_proposal', { ...fields, ...again }) };
  return {
    title: trigger.type === 'subtasks_settled' ? 'The subtasks are settled' : titleOf(outcome),
    ask: askOf('options', { summary: summaryOf(unplaced, branch), ...optionsOf(unplaced, again) }),
  };
}

function titleOf(outcome: string | null): string {
  if (outcome === 'no_change') return 'The agent changed nothing';
  return outcome === null
    ? 'The agent failed'
    : `The agent reported ${outcome}, and the pipeline has no transition for it`;
}

function labelOf({ statuses }: Unplaced['pipeline'], id: string): string {
  return statuses.find((status) => status.id === id)?.label ?? id;
}

function summaryOf({ task, trigger, payload, reason, pipeline }: Unplaced, branch: string | null): string {
  const here = labelOf(pipeline, task.status);
  const fields = isRecord(payload) ? payload : {};
  if (trigger.type === 'subtasks_settled') return `${reason ?? 'None is left.'} What should happen to the task?`;
  const kept =
    branch === null ? '' : ` The work so far is kept on ${branch}: \`attractor tasks diff ${task.key}\` shows it.`;
  if (trigger.type !== 'agent_outcome') return `${reason ?? 'The agent failed.'} The task stays in "${here}".${kept}`;
  const { reason: why } = fields;
  if (trigger.outcome === 'no_change')
    return `It finished without a change: ${typeof why === 'string' ? why : 'no reason was given'}`;
  const told = payload === null || payload === undefined ? '' : ` It said: ${JSON.stringify(payload)}`;
  return `Nothing leads on from "${here}" after "${trigger.outcome}".${told}`;
}

function optionsOf({ ways, pipeline }: Unplaced, { again }: Again) {
  const open = ways.filter(({ allowed }) => allowed);
  const moves = [...new Map(open.map((option) => [option.transition.to, option])).values()];
  const anew =
    again === undefined
      ? []
      : [
          {
            id: 'again',
            label: 'Let the agent continue',
            description: 'Starts it again, with your message if you give one.',
          },
        ];
  return {
    options: [
      ...anew,
      ...moves.map(({ transition }) => ({
        id: transition.to,
        label: transition.label,
        description: `The task goes to "${labelOf(pipeline, transition.to)}".`,
      })),
    ],
    ways: Object.fromEntries(moves.map(({ transition }) => [transition.to, transition.to])),
    ...defined({ again }),
  };
}
