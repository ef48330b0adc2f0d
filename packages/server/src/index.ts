export type { ComposedServer, ComposedWorker, ServerOptions } from './compose.ts';
export { composeApp, composeServer, composeWorker } from './compose.ts';
