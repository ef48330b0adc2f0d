import type { Command } from 'commander';
import { addConcurrencyFlag } from '../concurrency-flag.ts';
import { addModelFlags } from '../model-flags.ts';
import { addSandboxFlag } from '../sandbox-flag.ts';
import type { WorkerFlags } from '../worker/work.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  addConcurrencyFlag(addSandboxFlag(addModelFlags(command)))
    .description('Works on queued runs, without a server, until SIGTERM or Ctrl-C.')
    .option('--labels <names>', 'what this machine has, such as gpu,arm: it takes runs that need nothing else')
    .option('--database-url <url>', 'the PostgreSQL server that holds the records (ATTRACTOR_DATABASE_URL)')
    .option('--drain <seconds>', 'how long running runs may continue after SIGTERM before they are parked', '30')
    .option('--once', 'end when nothing is left that this worker can do')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: WorkerFlags) => finish(await (await import('../worker/work.ts')).workUntilStopped(flags)));
}

const EXAMPLES = `
Any number of workers may work on one database, on this machine or on others that reach the database and the git remote of the
projects. A project whose folder is not on this machine is cloned into ATTRACTOR_HOME/repositories. It reports what it does on stderr.
Exit code 0 after SIGTERM or with --once, 130 after Ctrl-C, 5 if the database can't be reached.

Examples:
  attractor worker
  attractor worker --labels gpu --concurrency 4 --database-url postgres://attractor@db.example/attractor
  attractor worker --once`;
