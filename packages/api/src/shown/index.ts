export * from './changed-lines.ts';
export * from './graph-layout.ts';
export * from './line-comments.ts';
export * from './main-path.ts';
export * from './pipeline-edit.ts';
export * from './unfolded.ts';
export type { MarkedPart } from './word-marks.ts';
