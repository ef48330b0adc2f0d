import type { AgentRunMode, Named, PipelineDefinition, TransitionOption } from '../types/index.ts';

/**
 * The status that a pipeline leads to when an agent shall start in this mode, or null where it has no such way from here.
 * An open way is preferred to a blocked one, whose guard then says what is missing; of several the one furthest along counts.
 */
export function wayInto(
  mode: AgentRunMode,
  from: { readonly options: ReadonlyArray<TransitionOption>; readonly pipeline: PipelineDefinition },
): string | null {
  const place = new Map(from.pipeline.statuses.map(({ id, position }) => [id, position]));
  const [best] = from.options
    .filter(({ transition }) => (transition.hooks ?? []).some((hook) => startsIn(hook) === mode))
    .map(({ transition, allowed }) => ({ to: transition.to, allowed, at: place.get(transition.to) ?? 0 }))
    .toSorted((one, other) => Number(other.allowed) - Number(one.allowed) || other.at - one.at);
  return best?.to ?? null;
}

function startsIn({ type, params }: Named): unknown {
  if (type === 'start_agent') return params?.['mode'] ?? 'implement';
  return type === 'start_pr_review' ? 'review' : null;
}
