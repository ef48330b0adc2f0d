export type {
  CreateOptions,
  Deleted,
  DeleteOptions,
  FollowOptions,
  Forked,
  ForkedFrom,
  ForkOptions,
  HeldSession,
  ListOptions,
  Redoable,
  RewindOptions,
  Rewound,
  SearchHit,
  SearchOptions,
  SessionAbout,
  Sessions,
  SessionsError,
  SessionsErrorCode,
  SessionsResult,
  SessionSummary,
} from './contract.ts';
export { openSessions } from './open-sessions.ts';
export { outputFolder, shellsFolder, undoFolder } from './place.ts';
export { partsOfRedo, type RedoParts } from './redo-parts.ts';
export type { TurnCall, TurnEntry, TurnResult } from './turns.ts';
export * from './foreign/index.ts';
