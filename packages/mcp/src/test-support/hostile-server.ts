import path from 'node:path';

/** A server that misbehaves as its first argument says: a program for Node. */
export const HOSTILE_SERVER = path.join(import.meta.dirname, 'hostile-server-child.ts');
