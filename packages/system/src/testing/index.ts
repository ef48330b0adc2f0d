export { failingDisk } from '../test-support/failing-disk.ts';
export { createMemoryDisk, type MemoryDisk } from '../test-support/memory-disk.ts';
