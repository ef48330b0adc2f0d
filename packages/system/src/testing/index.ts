export { type InstalledPackages, installedPackages, PLATFORM } from '../test-support/installed-packages.ts';
export { failingDisk } from '../test-support/failing-disk.ts';
export { createMemoryDisk, type MemoryDisk } from '../test-support/memory-disk.ts';
