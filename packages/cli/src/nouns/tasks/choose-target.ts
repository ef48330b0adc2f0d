import { isCancelled } from '@attractor/facts';
import type { PipelineDefinition, Task, TransitionOption } from '@attractor/platform';
import type { ApiClient } from '@attractor/api';
import { CommandFailure, EXIT } from '@attractor/console';
import { valueOf } from '@attractor/console/lines';

/** What a person means by a move, whatever the pipeline calls the status. */
export type MoveIntent = 'start' | 'done' | 'cancel';

/** The one status that is meant. If several fit, the person has to choose. */
export async function chooseTarget(
  client: ApiClient,
  { taskId, wish }: { readonly taskId: string; readonly wish: MoveIntent },
): Promise<string> {
  const task = valueOf(await client.tasks.get(taskId));
  const [options, pipeline] = await Promise.all([
    client.tasks.transitions(taskId).then(valueOf),
    client.pipelines.get(task.pipelineId, task.pipelineVersion).then(valueOf),
  ]);
  const fitting = targetsOf(wish, { options, pipeline });
  const [first] = fitting;
  if (first === undefined) throw new CommandFailure(nothingFits(wish, task, options), EXIT.refused);
  if (fitting.length === 1) return first;
  throw new CommandFailure(
    `"${wish}" could mean ${fitting.join(' or ')}: say which with \`attractor tasks transition ${task.key} STATUS\``,
    EXIT.refused,
  );
}

/** The possible targets; if there are none, the impossible ones: the refusal then says what is missing. */
export function targetsOf(
  wish: MoveIntent,
  from: { readonly options: ReadonlyArray<TransitionOption>; readonly pipeline: PipelineDefinition },
): ReadonlyArray<string> {
  const categories = new Map(from.pipeline.statuses.map(({ id, category }) => [id, category]));
  const isMeant: Readonly<Record<MoveIntent, (status: string) => boolean>> = {
    start: (status) => categories.get(status) === 'active',
    done: (status) => categories.get(status) === 'done' && !isCancelled(status),
    cancel: isCancelled,
  };
  const meant = from.options.filter(({ transition }) => isMeant[wish](transition.to));
  const possible = meant.filter(({ allowed }) => allowed);
  const fitting = possible.length > 0 ? possible : meant;
  const first = wish === 'start' && fitting.length > 1 ? FIRST_MODES.map((mode) => fitting.filter(startsIn(mode))) : [];
  const chosen = first.find(({ length }) => length > 0)?.slice(-1) ?? fitting;
  return [...new Set(chosen.map(({ transition }) => transition.to))];
}

/** If work may begin in several ways, what is unclear comes first, then a plan. */
const FIRST_MODES = ['clarify', 'plan'];

function startsIn(mode: string): (option: TransitionOption) => boolean {
  return ({ transition }) =>
    (transition.hooks ?? []).some(({ type, params }) => type === 'start_agent' && params?.['mode'] === mode);
}

function nothingFits(wish: MoveIntent, task: Task, options: ReadonlyArray<TransitionOption>): string {
  const others = [...new Set(options.map(({ transition }) => transition.to))];
  const back = `"attractor tasks reopen ${task.key}" reopens it, "attractor tasks get ${task.key}" says what else can be done.`;
  const hint =
    others.length === 0 ? `No transition leads on from there: ${back}` : `It can go to ${others.join(', ')}.`;
  return `"${wish}" is not possible from "${task.status}". ${hint}`;
}
