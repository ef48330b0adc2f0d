import type { Named, PipelineDefinition, PipelineTransition } from '@attractor/store';

/** A transition as taken from one particular status, also if it may leave any. */
export type Edge = { readonly transition: PipelineTransition; readonly from: string };

const AGENT_HOOKS: ReadonlySet<string> = new Set(['start_agent', 'start_pr_review', 'start_phase_agent']);

export function startsAgent({ hooks = [] }: PipelineTransition): boolean {
  return hooks.some(({ type }) => AGENT_HOOKS.has(type));
}

export function isByAgent({ trigger }: PipelineTransition): boolean {
  return trigger.type === 'agent_outcome' || trigger.type === 'agent_error';
}

export const nameOf = ({ transition, from }: Edge): string => `${from} -${transition.id}-> ${transition.to}`;

/** Every transition from every status that it can leave; an agent's report counts where an agent was started. */
export function edgesOf(pipeline: PipelineDefinition): ReadonlyArray<Edge> {
  const { statuses, transitions, terminalStatuses } = pipeline;
  const worked = new Set(transitions.filter(startsAgent).map(({ to }) => to));
  return transitions.flatMap((transition) => {
    if (transition.from !== '*') return [{ transition, from: transition.from }];
    return statuses
      .map(({ id }) => id)
      .filter((id) => id !== transition.to && !terminalStatuses.includes(id))
      .filter((id) => !isByAgent(transition) || worked.has(id))
      .map((from) => ({ transition, from }));
  });
}

/** Every transition; one that may leave any status as taken from one where an agent works and from one where none does. */
export function sampleOf(pipeline: PipelineDefinition): ReadonlyArray<Edge> {
  const worked = new Set(pipeline.transitions.filter(startsAgent).map(({ to }) => to));
  const kindOf = ({ transition, from }: Edge): string => `${transition.id} ${String(worked.has(from))}`;
  return [
    ...new Map(
      edgesOf(pipeline)
        .toReversed()
        .map((edge) => [kindOf(edge), edge]),
    ).values(),
  ];
}

/** Walks from the initial status that together take the wanted edges. Throws if one is unreachable: each must have a walk. */
export function planWalks(
  pipeline: PipelineDefinition,
  wanted: ReadonlyArray<Edge>,
): ReadonlyArray<ReadonlyArray<Edge>> {
  const edges = edgesOf(pipeline);
  const open = new Set(wanted.map(nameOf));
  const walks: Edge[][] = [];
  while (open.size > 0) {
    const walk: Edge[] = [];
    let place: Place = { status: pipeline.initialStatus, hasAgent: false, visits: {}, reported: [] };
    for (;;) {
      const path =
        nearest(edges, place, (edge) => open.has(nameOf(edge)) && !isEnd(pipeline, edge)) ?? // long walks first
        nearest(edges, place, (edge) => open.has(nameOf(edge))) ??
        (place.hasAgent ? nearest(edges, place, (edge) => isEnd(pipeline, edge)) : null); // no agent is left at work
      if (path === null) break;
      for (const edge of path) {
        place = follow(place, edge);
        open.delete(nameOf(edge));
        walk.push(edge);
      }
    }
    if (walk.length === 0) throw new Error(`No walk through "${pipeline.id}" takes ${[...open].join(', ')}`);
    walks.push(walk);
  }
  return walks;
}

/** The state of a task, as far as guards need it. */
type Place = {
  readonly status: string;
  readonly hasAgent: boolean;
  readonly visits: Readonly<Record<string, number>>;
  readonly reported: ReadonlyArray<string>;
};

function isEnd({ terminalStatuses }: PipelineDefinition, { transition }: Edge): boolean {
  return terminalStatuses.includes(transition.to);
}

function nearest(
  edges: ReadonlyArray<Edge>,
  start: Place,
  isWanted: (edge: Edge) => boolean,
): ReadonlyArray<Edge> | null {
  let reached: ReadonlyArray<{ readonly place: Place; readonly path: ReadonlyArray<Edge> }> = [
    { place: start, path: [] },
  ];
  const asked = edges.flatMap(({ transition }) => (transition.guards ?? []).flatMap(statusesOf));
  const keyOf = ({ status, hasAgent, reported, visits }: Place): string =>
    JSON.stringify([status, hasAgent, reported, asked.map((one) => one in visits)]);
  const seen = new Set([keyOf(start)]);
  while (reached.length > 0) {
    const steps = reached.flatMap(({ place, path }) =>
      edges
        .filter((edge) => isOpen(place, edge))
        .map((edge) => ({ place: follow(place, edge), path: [...path, edge] })),
    );
    const found = steps.find(({ path }) => path.slice(-1).some(isWanted));
    if (found !== undefined) return found.path;
    reached = steps.filter(({ place }) => !seen.has(keyOf(place)) && seen.add(keyOf(place)));
  }
  return null;
}

function statusesOf({ type, params = {} }: Named): ReadonlyArray<string> {
  return type === 'has_been_in' ? [String(params['statusId'])] : [];
}

/** Which report satisfies a guard. */
const GIVEN_BY: Readonly<Record<string, string>> = {
  has_plan: 'plan_complete',
  has_branch: 'pr_ready',
  has_pr: 'pr_ready',
};
/** These hold already, or can be made to hold by stopping the agent. */
const AT_WILL: ReadonlySet<string> = new Set(['no_running_agent', 'dependencies_resolved']);

function isOpen(place: Place, { transition, from }: Edge): boolean {
  if (from !== place.status || (isByAgent(transition) && !place.hasAgent)) return false;
  const { reported } = follow(place, { transition, from });
  return (transition.guards ?? []).every(({ type, params = {} }) => {
    if (type === 'max_iterations') return (place.visits[String(params['statusId'])] ?? 0) < Number(params['max'] ?? 5);
    if (type === 'has_been_in') return String(params['statusId']) in place.visits;
    return AT_WILL.has(type) || reported.includes(GIVEN_BY[type] ?? '');
  });
}

function follow({ visits, reported }: Place, { transition }: Edge): Place {
  const { to, trigger } = transition;
  const known = trigger.type === 'agent_outcome' ? [...new Set([...reported, trigger.outcome])].toSorted() : reported;
  return {
    status: to,
    hasAgent: startsAgent(transition),
    visits: { ...visits, [to]: (visits[to] ?? 0) + 1 },
    reported: known,
  };
}
