import { resolve } from 'node:path';
import { backupDatabase, moveDatabase, restoreDatabase, type StoreLocation } from '@attractor/platform';
import { CommandFailure, EXIT, unwrap } from '@attractor/console';
import { ownDatabase, print, shown, sqliteHome } from './database.ts';

type Flags = { readonly json?: boolean };

export async function migrate(flags: Flags & { readonly to: string; readonly from?: string }): Promise<number> {
  const to = readAddress('--to', flags.to);
  const from = flags.from === undefined ? ownDatabase() : readAddress('--from', flags.from);
  const moved = unwrap(await shown(flags, 'moving', (tell) => moveDatabase(from, to, tell)));
  const rows = Object.values(moved).reduce((sum, count) => sum + count, 0);
  print(flags, { rows, tables: moved }, [
    ...Object.entries(moved).map(([table, count]) => `${String(count).padStart(9)}  ${table}`),
    `${String(rows).padStart(9)}  rows moved, and counted again`,
    'databaseUrl' in to
      ? 'Use it from now on: set ATTRACTOR_DATABASE_URL to that address.'
      : 'The file is ready to be used.',
  ]);
  return EXIT.done;
}

export async function backup(file: string, flags: Flags): Promise<number> {
  const home = sqliteHome('pg_dump --format=custom --file=FILE');
  const made = unwrap(await shown(flags, 'backing up', (tell) => backupDatabase(home, resolve(file), tell)));
  print(flags, made, [`${made.file} (${made.bytes} bytes)`]);
  return EXIT.done;
}

export async function restore(file: string, flags: Flags & { readonly yes?: boolean }): Promise<number> {
  const home = sqliteHome('pg_restore --clean --dbname=ADDRESS FILE');
  if (flags.yes !== true)
    throw new CommandFailure(
      'this replaces the database: stop what uses it, then confirm with --yes (the current database is kept beside it)',
      EXIT.refused,
    );
  const { kept } = unwrap(await shown(flags, 'restoring', (tell) => restoreDatabase(home, resolve(file), tell)));
  print(flags, { restored: resolve(file), kept }, [
    `Restored from ${resolve(file)}.`,
    ...(kept === null ? [] : [`The old database: ${kept}`]),
  ]);
  return EXIT.done;
}

function readAddress(flag: string, text: string): StoreLocation {
  if (/^postgres(ql)?:\/\//.test(text)) return { databaseUrl: text };
  if (text.startsWith('sqlite:') && text.length > 'sqlite:'.length)
    return { file: resolve(text.slice('sqlite:'.length)) };
  throw new CommandFailure(`${flag}: expected postgres://USER@HOST/NAME or sqlite:PATH`, EXIT.usage);
}
