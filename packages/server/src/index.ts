export { newSecret } from './secret.ts';
export { proofOf } from './auth.ts';
export type { ComposedServer, ComposedWorker, ServerOptions } from './compose.ts';
export { composeApp, composeServer, composeWorker } from './compose.ts';
export { readServerRecord } from './server-record.ts';
export { readOrMakeToken } from './token-file.ts';
