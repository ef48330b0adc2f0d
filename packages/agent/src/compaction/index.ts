export type { CompactionOptions, CompactionTrigger, CompactionWord } from './contract.ts';
export { memoryFileOf } from './memory.ts';
