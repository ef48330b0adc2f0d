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
