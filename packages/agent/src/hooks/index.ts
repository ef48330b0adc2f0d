export type { HookAnswer } from './answer.ts';
export type {
  CommandHandler,
  FunctionHandler,
  HookDefinition,
  HookHandler,
  HookInput,
  HttpHandler,
} from './definition.ts';
export { readClineHooks } from './cline-files.ts';
export { HOOK_EVENTS, type HookEventName } from './events.ts';
export { createHooks, type Firing, type Hooks, type HooksOptions } from './hooks.ts';
export type { HookOutcome } from './outcome.ts';
export { readHookDefinitions, type HookReading } from './read-definitions.ts';
export type { HookRun } from './run-report.ts';
