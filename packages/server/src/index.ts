export * from './app.ts';
export * from './listen.ts';
export { composeServer, type ComposedServer, type ComposeResult, type ServerOptions } from './compose.ts';
