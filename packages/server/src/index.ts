export { startInBackground } from './background-server.ts';
export type { ComposedServer, ComposedWorker, ServerOptions } from './compose.ts';
export { composeApp, composeServer, composeWorker } from './compose.ts';
export { nothingLeftToServe } from './nothing-left.ts';
