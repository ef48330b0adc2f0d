import { readCosts } from '@attractor/analytics';
import { compareAgents, readStats } from '@attractor/analytics';
import { readTimeline } from '@attractor/analytics';
import { findAttempts, listAttempts } from './read-attempts.ts';
import { cancelAttempts, startAttempts } from './start-attempts.ts';
import { refuseOnDatabaseError, type Store } from '@attractor/store';
import type { SpendCommands } from './contract.ts';
import { deleteBudget, listBudgets, setBudget } from './budgets.ts';

export function createSpendCommands(options: {
  readonly store: Store;
  readonly defaultAgentType: string;
}): SpendCommands {
  const { store, defaultAgentType } = options;
  const { read } = store;
  const guarded = refuseOnDatabaseError;
  return {
    listBudgets: (filter = {}) => listBudgets(read, filter),
    setBudget: (input, actor) => guarded(() => setBudget(store, input, actor)),
    deleteBudget: (id, actor) => guarded(() => deleteBudget(store, id, actor)),
    costs: (filter, groupBy) => guarded(() => readCosts(store, filter, groupBy)),
    stats: (filter) => readStats(store, filter),
    compareAgents: (filter) => compareAgents(store, filter),
    runTimeline: (runId) => readTimeline(read, runId),
    startAttempts: (input, actor) => guarded(() => startAttempts(store, input, { actor, defaultAgentType })),
    getAttempts: (groupId) => findAttempts(read, groupId),
    listAttempts: (taskId) => listAttempts(read, taskId),
    cancelAttempts: (groupId, actor) => guarded(() => cancelAttempts(store, groupId, actor)),
  };
}
