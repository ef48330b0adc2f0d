/** For who calls a server from outside: where it is, the token, and the proof that both sides know it. Nothing of the platform is loaded. */
export { proofOf } from './auth.ts';
export { newSecret } from './secret.ts';
export { readServerRecord } from './server-record.ts';
export { readOrMakeToken } from './token-file.ts';
