import type { PipelineDefinition, PipelineTransition, TransitionOption, Trigger } from '@attractor/store';
import { type GuardFacts, GUARDS } from './guards.ts';

/** Every transition that the trigger may fire from this status, each with what blocks it. A task in a terminal status stays there. */
export function decideOptions(
  pipeline: PipelineDefinition,
  facts: GuardFacts,
  trigger: Trigger,
): ReadonlyArray<TransitionOption> {
  return waysFrom(pipeline, facts.task.status, trigger).map((transition) => {
    const blockedBy = blockers(transition, facts);
    return { transition, allowed: blockedBy.length === 0, blockedBy };
  });
}

/** The guards that are asked for that. */
export function askedGuards(pipeline: PipelineDefinition, status: string, trigger: Trigger): ReadonlySet<string> {
  const ways = waysFrom(pipeline, status, trigger);
  return new Set(ways.flatMap(({ guards = [] }) => guards.map(({ type }) => type)));
}

function waysFrom(
  { terminalStatuses, transitions }: PipelineDefinition,
  status: string,
  trigger: Trigger,
): ReadonlyArray<PipelineTransition> {
  if (terminalStatuses.includes(status)) return [];
  return transitions.filter((one) => leaves(one, status) && answersTo(one.trigger, trigger));
}

/** The outcomes that lead out of a status, each once. */
export function reachableOutcomes(pipeline: PipelineDefinition, status: string): ReadonlyArray<string> {
  const names = pipeline.transitions.flatMap((transition) =>
    leaves(transition, status) && transition.trigger.type === 'agent_outcome' ? [transition.trigger.outcome] : [],
  );
  return [...new Set(names)];
}

function leaves(transition: PipelineTransition, status: string): boolean {
  return (transition.from === status || transition.from === '*') && transition.to !== status;
}

function answersTo(own: Trigger, fired: Trigger): boolean {
  if (own.type === 'any' || fired.type === 'any') return true;
  if (own.type === 'agent_outcome' && fired.type === 'agent_outcome') return own.outcome === fired.outcome;
  return own.type === fired.type;
}

function blockers(transition: PipelineTransition, facts: GuardFacts): TransitionOption['blockedBy'] {
  return (transition.guards ?? []).flatMap(({ type, params }) => {
    const guard = GUARDS[type];
    const reason =
      guard === undefined ? `There is no guard "${type}": correct the pipeline.` : guard(facts, params ?? {});
    return reason === null ? [] : [{ guard: type, reason }];
  });
}
