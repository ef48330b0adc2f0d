export { createClaudeEntries, entryName, titleEntry } from './claude-entries.ts';
export { type ApiTime, createApiTime } from './api-time.ts';
export { informationalLine, type Line, linesOf } from './event-lines.ts';
export { createLiveLines, type LiveLines } from './live-lines.ts';
export { createMessageDeltas } from './message-deltas.ts';
export { type HeadlessEnding, type HeadlessResult, modelUsages, resultLine } from './result-line.ts';
export { count, countUsage, NOTHING, type Tally } from './tally.ts';
export { createLinesOf, geminiAnswer, LINES_OF, type LinesOf } from './lines-of-others.ts';
