import type { AgentComparison, RunStats } from '@attractor/platform';
import { showCost, showDuration } from './amounts.ts';
import { showControls } from './plain-text.ts';

/** A run that only waits for its turn says nothing about its agent. */
export function hasEnded({ completed, failed, timeout, cancelled }: AgentComparison): boolean {
  return completed + failed + timeout + cancelled > 0;
}

/** Of all runs, also those that led to nothing. */
export function costPerAccepted(agents: ReadonlyArray<AgentComparison>): string {
  const accepted = agents.reduce((sum, one) => sum + one.accepted, 0);
  const isKnown = agents.every(({ spend }) => spend.costUsd !== null);
  if (accepted === 0) return '–';
  return showCost(isKnown ? agents.reduce((sum, { spend }) => sum + spend.knownCostUsd, 0) / accepted : null);
}

/** A share of all; a dash where there is none. */
export function percentOf(rate: number | null): string {
  return rate === null ? '–' : `${Math.round(rate * 100)} %`;
}

/** A time; a dash where there is none. */
export function durationOf(ms: number | null): string {
  return ms === null ? '–' : showDuration(ms);
}

/** An agent with the model that it works by. */
export function agentName({ agentType, model }: AgentComparison): string {
  if (model === '') return showControls(`${agentType} · no model`);
  return showControls(model === agentType ? agentType : `${agentType} · ${model}`);
}

/** How often it succeeds, as a bar. */
export function successBar(one: AgentComparison) {
  return { name: agentName(one), value: one.successRate ?? 0, shown: percentOf(one.successRate) };
}

/** Where the time of runs goes, as bars. */
export function waitingBars({ waiting }: RunStats) {
  return [
    { name: 'Agents', value: waiting.onAgentsMs },
    { name: 'Checks', value: waiting.onChecksMs },
    { name: 'People', value: waiting.onPeopleMs },
    { name: 'Queue', value: waiting.onQueueMs },
  ].map((bar) => ({ ...bar, shown: showDuration(bar.value) }));
}
