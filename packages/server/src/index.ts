export { startInBackground } from './background-server.ts';
export type { ComposedServer, ComposedWorker, ServerOptions } from './compose.ts';
export { composeApp, composeServer, composeWorker, examineDefaultIn } from './compose.ts';
export { usualAgentIn } from './default-agents.ts';
export { nothingLeftToServe } from './nothing-left.ts';
