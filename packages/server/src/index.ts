export type { App, AppOptions } from './app.ts';
export { createApp } from './app.ts';
export { newSecret } from './secret.ts';
export { proofOf } from './auth.ts';
export type {
  AppServices,
  ComposedApp,
  ComposedServer,
  ComposedWorker,
  ComposeResult,
  ServerOptions,
} from './compose.ts';
export { composeApp, composeServer, composeWorker } from './compose.ts';
export type { Listening, ListenFailure, ListenOptions, ListenResult } from './listen.ts';
export { listen } from './listen.ts';
export type { ServerRecord } from './server-record.ts';
export { readServerRecord } from './server-record.ts';
export { readOrMakeToken } from './token-file.ts';
