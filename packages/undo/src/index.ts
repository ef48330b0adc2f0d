export type {
  ChangedFile,
  KeptFile,
  LeftOutFile,
  PruneBounds,
  PruneResult,
  RewindMoment,
  RewindPreview,
  RewindResult,
  RewindTarget,
  Snapshot,
  SnapshotAuthor,
  SnapshotId,
  SnapshotRequest,
  SnapshotResult,
  Undo,
  UndoBounds,
  UndoOptions,
  UndoOutcome,
} from './contract.ts';
export type { UndoFailure, UndoFailureCode } from './failure.ts';
export type { Recovery } from './restore.ts';
export { openUndo, type OpenedUndo } from './undo.ts';
