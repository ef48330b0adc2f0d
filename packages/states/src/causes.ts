import type { JobFacts, RunFacts } from './state-facts.ts';

/** Why a run failed, in few words, and what would help. */
export type Cause = { readonly about: string; readonly remedy: string };

/** The agent's own code says more than ours. */
export function causeOfFailure({ key, failure }: Pick<RunFacts, 'key' | 'failure'>, taskKey: string): Cause {
  const known = CAUSES[failure?.agentCode ?? ''] ?? CAUSES[failure?.code ?? ''];
  if (known === undefined)
    return { about: 'the agent failed', remedy: `\`attractor runs transcript ${key}\` shows what it said.` };
  return { about: known.about, remedy: known.remedy.replaceAll('TASK', taskKey).replaceAll('RUN', key) };
}

/** Why a run waits to be tried again, as far as that is known, and what the one before it said. */
export function retryWords(retry: JobFacts['retry']): { readonly about: string; readonly detail: string | null } {
  const why = RETRIED[retry?.cause ?? ''];
  const about = why === undefined ? 'will be retried later' : `${why}, will be retried later`;
  return { about, detail: retry?.failure ?? null };
}

/** By the cause that decided that it is tried again. */
const RETRIED: Readonly<Partial<Record<string, string>>> = {
  limit: "the provider's limit",
  rate_limit: "the provider's limit",
  overloaded: 'the provider is overloaded',
  network: 'no connection',
  timeout: 'it took too long',
  crash: 'the agent crashed',
};

const NO_KEY: Cause = {
  about: 'no valid key',
  remedy: 'Give the server a key (`attractor doctor` says which variable or file), restart it, then try again.',
};
const LATER: Cause = { about: "the provider's limit", remedy: 'Try again later, or choose another model.' };

const CAUSES: Readonly<Partial<Record<string, Cause>>> = {
  authentication: NO_KEY,
  access_denied: NO_KEY,
  unavailable: {
    about: 'the agent is not ready',
    remedy: 'Fix that where the server runs, restart it, then try again.',
  },
  configuration: { about: 'something is not set up', remedy: '`attractor doctor` says what is missing.' },
  no_sandbox: {
    about: 'there is no sandbox',
    remedy: 'Install bubblewrap, or start the server with --allow-unsandboxed.',
  },
  quota_exceeded: { about: 'the account is used up', remedy: 'Add to the account, or choose another model.' },
  rate_limit: LATER,
  overloaded: LATER,
  network: { about: 'no connection', remedy: 'Check the connection to the provider.' },
  context_length: {
    about: 'too much for the model',
    remedy: 'Split the task, or choose a model with a larger window.',
  },
  turn_limit: { about: 'too many turns', remedy: 'Allow more with --max-turns, or split the task.' },
  budget: { about: 'the budget is reached', remedy: 'Raise it with `attractor budgets set`.' },
  timeout: { about: 'it took too long', remedy: 'Allow more with --timeout, or split the task.' },
  checks_failed: { about: 'checks fail', remedy: '`attractor checks list TASK --output` shows why.' },
  no_outcome: {
    about: 'the agent gave no usable report',
    remedy: '`attractor runs transcript RUN` shows what it said.',
  },
  invalid_outcome: {
    about: 'the report was not usable',
    remedy: '`attractor runs transcript RUN` shows what it said.',
  },
  worktree_gone: {
    about: 'its worktree is gone',
    remedy: 'Commits are on its branch, the rest is lost. Trying again makes a new worktree.',
  },
  environment: { about: 'the run could not continue', remedy: 'Fix what the message names, then try again.' },
  poison: { about: 'its worker died each time', remedy: '`attractor events list --task TASK` shows what happened.' },
};
