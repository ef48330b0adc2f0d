import type { AgentRunMode, Named, PipelineDefinition, TransitionOption } from '@attractor/store';

/** Which status a pipeline moves to when an agent starts in a mode, and the action's parameters for that agent. */
export type WayInto = { readonly to: string; readonly hookParams: Readonly<Record<string, unknown>> };

/**
 * The way into a mode, or null if the pipeline has none from here. An open way is preferred to a blocked one, whose guard then says what is
 * missing; of several the one furthest along counts.
 */
export function wayInto(
  mode: AgentRunMode,
  from: { readonly options: ReadonlyArray<TransitionOption>; readonly pipeline: PipelineDefinition },
): WayInto | null {
  const place = new Map(from.pipeline.statuses.map(({ id, position }) => [id, position]));
  const [best] = from.options
    .flatMap(({ transition, allowed }) => {
      const action = (transition.hooks ?? []).find((one) => modeOf(one) === mode);
      return action === undefined ? [] : [{ to: transition.to, hookParams: action.params ?? {}, allowed }];
    })
    .toSorted(
      (one, other) =>
        Number(other.allowed) - Number(one.allowed) || (place.get(other.to) ?? 0) - (place.get(one.to) ?? 0),
    );
  return best === undefined ? null : { to: best.to, hookParams: best.hookParams };
}

/**
 * The first status that a task comes to when agents begin with it: where they clarify or plan, if the pipeline has such a place, else where
 * they work. `straight`: where they work. Null if no agent starts from here.
 */
export function firstWay(
  from: { readonly options: ReadonlyArray<TransitionOption>; readonly pipeline: PipelineDefinition },
  { straight }: { readonly straight: boolean },
): string | null {
  if (straight) return wayInto('implement', from)?.to ?? null;
  const ways = from.options.filter(({ transition }) => (transition.hooks ?? []).some(startsAgent));
  const before = ways.find(({ transition }) => !(transition.hooks ?? []).some((one) => modeOf(one) === 'implement'));
  return (before ?? ways[0])?.transition.to ?? null;
}

/** Whether the action starts an agent on the task as a whole. An agent on a phase needs data that only its action has. */
export function startsAgent(action: Named): boolean {
  return modeOf(action) !== null;
}

function modeOf({ type, params }: Named): unknown {
  if (type === 'start_agent') return params?.['mode'] ?? 'implement';
  return type === 'start_pr_review' ? 'review' : null;
}
