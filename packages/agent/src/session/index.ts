export type {
  ApprovalAnswer,
  ApprovalRequest,
  Approve,
  AskUser,
  QuestionRequest,
  Session,
  SessionChanges,
  SessionOptions,
} from './contract.ts';
export type { CallSignature } from './loop-detection.ts';
export { detectLoop } from './loop-detection.ts';
export { createSession, resumeSession } from './session.ts';
export { messagesOf } from './messages.ts';
export { createRecorder, type Recorder } from './recorder.ts';
export { owedEvents, replay, type Replay } from './replay.ts';
export { tidyCalls } from './tidy-calls.ts';
export { advance, EMPTY_VIEW, isToolCall, openCalls, type SessionView } from './view.ts';
export { untilAborted } from './until-aborted.ts';
