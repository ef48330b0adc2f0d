import type { Command } from 'commander';
import { EXIT } from '@attractor/console';
import { quiet } from '../program.ts';
import type { ArchiveFlags } from '../db/archive.ts';

type Flags = { readonly json?: boolean };

export function define(command: Command, finish: (exitCode: number) => void): void {
  command
    .description('Moves, backs up, restores and archives the database.')
    .addHelpText('after', EXAMPLES)
    .action(() => {
      command.outputHelp();
      finish(EXIT.done);
    });
  const load = () => import('../db/subcommands.ts');
  part(command, 'migrate')
    .description('Copies every row into an empty database and counts them again; the source is not changed.')
    .requiredOption('--to <address>', 'postgres://USER@HOST/NAME, or sqlite:PATH')
    .option(
      '--from <address>',
      'the same (default: ATTRACTOR_DATABASE_URL, if it is set, otherwise the database under ATTRACTOR_HOME)',
    )
    .action(async (flags: Flags & { readonly to: string; readonly from?: string }) =>
      finish(await (await load()).migrate(flags)),
    );
  part(command, 'backup')
    .description('Writes a copy of the SQLite database while others use it.')
    .argument('<file>', 'where to; must not exist yet')
    .action(async (file: string, flags: Flags) => finish(await (await load()).backup(file, flags)));
  part(command, 'restore')
    .description('Replaces the SQLite database with a backup; the old database is kept beside it.')
    .argument('<file>', 'a file that `db backup` wrote')
    .option('-y, --yes', 'without asking')
    .action(async (file: string, flags: Flags & { readonly yes?: boolean }) =>
      finish(await (await load()).restore(file, flags)),
    );
  part(command, 'archive')
    .description(
      'Moves the transcripts of runs that ended long ago into compressed files, which `runs transcript` still reads.',
    )
    .option('--older-than <days>', "of runs that ended this many days ago (default: each project's setting)")
    .option('--project <key>', 'only of this project')
    .option('--dry-run', 'only say what would be moved')
    .option('--compact', 'then give the space that the SQLite database no longer needs back to the disk')
    .action(async (flags: ArchiveFlags) => finish(await (await import('../db/archive.ts')).archive(flags)));
}

function part(command: Command, name: string): Command {
  return quiet(command.command(name)).option('--json', 'one JSON object, for scripts');
}

const EXAMPLES = `
Records live in ATTRACTOR_HOME/attractor.db, or on the PostgreSQL server that ATTRACTOR_DATABASE_URL names.
Exit code 0 done; 3 no such file or database; 4 refused, nothing was changed; 5 database.

Examples:
  attractor db backup ~/attractor-monday.db
  attractor db restore ~/attractor-monday.db --yes
  attractor db archive --older-than 90 --dry-run
  attractor projects update ATT --config '{"keepTranscriptsDays": 90}' && attractor db archive --compact
  attractor db migrate --to postgres://attractor@db.example/attractor
  attractor db migrate --from postgres://attractor@db.example/attractor --to sqlite:/srv/attractor/attractor.db`;
