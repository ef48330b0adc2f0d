export { requestFromJson } from './request-from-json.ts';
export { streamLine } from './stream-lines.ts';
