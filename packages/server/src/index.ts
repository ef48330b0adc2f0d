export type { App, AppOptions } from './app.ts';
export { createApp } from './app.ts';
export type { ComposedServer, ComposeFailure, ComposeResult, ServerOptions } from './compose.ts';
export { composeServer } from './compose.ts';
export type { Listening, ListenFailure, ListenOptions, ListenResult } from './listen.ts';
export { listen } from './listen.ts';
