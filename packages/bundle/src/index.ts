export { readChange } from './change-parts.ts';
export { compareRuns } from './compare-runs.ts';
export type { BundlePart, Versions } from './format.ts';
export { bytesOfPiece } from './pieces.ts';
export { type Bundle, openBundle } from './read-bundle.ts';
export { restoreBase, restoreStart } from './restore-base.ts';
export { type Journals, scriptOfRun } from './script-of-run.ts';
export { type BundleOptions, writeBundle } from './write-bundle.ts';
