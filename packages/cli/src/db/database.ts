import type { StoreLocation } from '@attractor/platform';
import { CommandFailure, EXIT, putText } from '@attractor/console';
import { showWork } from '../show-work.ts';
import { homeFolder } from '../settings.ts';

type Flags = { readonly json?: boolean };

export function ownDatabase(): StoreLocation {
  const databaseUrl = process.env['ATTRACTOR_DATABASE_URL'];
  return databaseUrl === undefined || databaseUrl === '' ? { home: homeFolder(process.env) } : { databaseUrl };
}

/** PostgreSQL has its own tools for this, and better ones than we could write. */
export function sqliteHome(instead: string): string {
  const own = ownDatabase();
  if ('home' in own) return own.home;
  throw new CommandFailure(`the records are on PostgreSQL (ATTRACTOR_DATABASE_URL): use ${instead}`, EXIT.refused);
}

export function shown<Value>(flags: Flags, doing: string, work: Parameters<typeof showWork<Value>>[1]): Promise<Value> {
  return showWork({ doing, isShown: flags.json !== true }, work);
}

export function print(flags: Flags, value: unknown, lines: ReadonlyArray<string>): void {
  putText(process.stdout, flags.json === true ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`);
}
