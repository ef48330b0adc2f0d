import { writeBundle } from '@attractor/bundle';
import { countRuns, findRun, listRuns, refuseOnDatabaseError, type Store } from '@attractor/store';
import { startAgent, stopAgent } from './runs.ts';
import type { RunCommands } from './contract.ts';

export function createRunCommands({
  store,
  defaultAgentType,
  home,
  secrets,
}: {
  readonly store: Store;
  readonly defaultAgentType: string;
  readonly home: string;
  readonly secrets: ReadonlyArray<string>;
}): RunCommands {
  const { read } = store;
  return {
    startAgent: (input, actor) => refuseOnDatabaseError(() => startAgent(store, input, { actor, defaultAgentType })),
    stopAgent: (runId, actor) => refuseOnDatabaseError(() => stopAgent(store, runId, actor)),
    exportRun: (runId, options) => refuseOnDatabaseError(() => writeBundle({ store, home, secrets }, runId, options)),
    getRun: (id) => findRun(read, id),
    listRuns: (filter) => listRuns(read, filter),
    countRuns: (filter) => countRuns(read, filter),
  };
}
