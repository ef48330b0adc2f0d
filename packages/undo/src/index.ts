export type {
  RewindPreview,
  RewindResult,
  RewindTarget,
  SnapshotRequest,
  Undo,
  UndoOptions,
  UndoOutcome,
} from './contract.ts';
export type { UndoFailure } from './failure.ts';
export { openUndo } from './undo.ts';
