import { isRecord } from '@attractor/base';
import type { PipelineDefinition } from '@attractor/store';
import { startsAgent } from './way-into.ts';

/** The agents that the actions of a definition name, each with its place. What is no pipeline names none. */
export function agentsNamed(definition: unknown): ReadonlyArray<{ readonly name: string; readonly path: string }> {
  return partsOf(definition, 'transitions').flatMap((transition, index) =>
    partsOf(transition, 'hooks').flatMap((hook, at) => {
      const params = isRecord(hook) && isRecord(hook['params']) ? hook['params'] : {};
      const { agentType: name } = params;
      return typeof name === 'string' ? [{ name, path: `$.transitions[${index}].hooks[${at}].params.agentType` }] : [];
    }),
  );
}

function partsOf(whole: unknown, name: string): ReadonlyArray<unknown> {
  const parts = isRecord(whole) ? whole[name] : null;
  return Array.isArray(parts) ? parts : [];
}

/** Which agents a move leads to work, by the name that its action gives; undefined: whoever is the default. */
export function agentsStarted(
  { transitions }: PipelineDefinition,
  move: { readonly from: string; readonly to: string },
): ReadonlyArray<string | undefined> {
  const taken = transitions.filter(({ from, to }) => to === move.to && (from === move.from || from === '*'));
  return taken
    .flatMap(({ hooks = [] }) => hooks.filter(startsAgent))
    .map(({ params }) => (typeof params?.['agentType'] === 'string' ? params['agentType'] : undefined));
}
