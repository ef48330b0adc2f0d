import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where state lives: database, journals, cache. */
export function homeFolder(env: Environment): string {
  return env['ATTRACTOR_HOME'] ?? join(env['HOME'] ?? homedir(), '.attractor');
}
