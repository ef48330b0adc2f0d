export { readCosts } from './costs.ts';
export { dateOfSlot, firstSlotOf, isTimeZone, nextDate } from './local-day.ts';
export { showTokenCount, showUsd, toNano, toUsd } from './money.ts';
export type { AgentComparison, Costs, RunStats, RunTimeline, Spend, SpendFilter, SpendGroup } from './spend.ts';
export { compareAgents, readStats } from './stats.ts';
export { toSpend } from './task-costs.ts';
export { readTimeline } from './timeline.ts';
