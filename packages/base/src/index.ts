export { errorOf, messageOf, type Failure } from './failure.ts';
export { expectedOfId, expectedOfName } from './given-names.ts';
export { decodedText } from './decoded-text.ts';
export { defined } from './defined.ts';
export { once } from './once.ts';
export { oneAtATime } from './one-at-a-time.ts';
export { nearestName } from './nearest-name.ts';
export { isRecord } from './record.ts';
export { done, failed, type Result } from './result.ts';
