import { isRecord } from '@attractor/base';
import { OUTCOME_SCHEMAS } from '@attractor/pipeline';

/** A pipeline of two statuses with a place for each of these outcomes: agents are offered the same, and nothing follows. */
export function outcomesPipeline(outcomes: ReadonlyArray<unknown>): unknown {
  const offered = outcomes.filter(isRecord).filter(({ outcome }) => typeof outcome === 'string');
  const own = offered.filter(({ outcome }) => !Object.hasOwn(OUTCOME_SCHEMAS, String(outcome)));
  return {
    id: 'replayed',
    version: 1,
    name: 'Replayed',
    isDefault: false,
    initialStatus: 'open',
    terminalStatuses: ['ended'],
    statuses: [
      { id: 'open', label: 'Open', color: 'gray', category: 'active', position: 0 },
      { id: 'ended', label: 'Ended', color: 'green', category: 'done', position: 1 },
    ],
    transitions: offered.map(({ outcome }) => ({
      id: `reports_${String(outcome)}`,
      from: 'open',
      to: 'ended',
      label: String(outcome),
      trigger: { type: 'agent_outcome', outcome },
    })),
    ...(own.length === 0
      ? {}
      : {
          outcomes: Object.fromEntries(
            own.map(({ outcome, description, payloadSchema }) => [
              String(outcome),
              { description, ...(isRecord(payloadSchema) ? { schema: payloadSchema } : {}) },
            ]),
          ),
        }),
  };
}
