export type { CodingSession } from './coding-session.ts';
export type { Inbox, InboxFilter, InboxItem } from './inbox.ts';
export { readInbox } from './inbox.ts';
export type { NextStep } from './next-step.ts';
export { answerSteps } from './next-step.ts';
export type { StatedTask } from './read-states.ts';
export { readSession } from './read-session.ts';
export { readStates } from './read-states.ts';
export type { TaskState } from './state-words.ts';
