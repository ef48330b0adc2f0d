export { type ApiTime, createApiTime } from './api-time.ts';
export { type Line, linesOf } from './event-lines.ts';
export { type HeadlessEnding, type HeadlessResult, resultLine } from './result-line.ts';
export { count, NOTHING, type Tally } from './tally.ts';
