import { type Command, Option } from 'commander';
import { CommandFailure, EXIT } from '@attractor/console';
import { quiet } from '../program.ts';

type Json = { readonly json?: boolean };
type ListFlags = Json & { readonly here?: boolean; readonly limit: number };
type ShowFlags = Json & { readonly turn?: number; readonly full?: boolean };
type ForkFlags = Json & { readonly turn?: number; readonly at?: string; readonly sessionId?: string };
type RewindFlags = Json & {
  readonly turn?: number;
  readonly redo?: boolean;
  readonly only?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
};

export function define(command: Command, finish: (exitCode: number) => void): void {
  command
    .description(
      'Lists, shows, searches, forks, rewinds, renames, exports, imports and deletes conversations with the agent.',
    )
    .addHelpText('after', EXAMPLES)
    .action(() => {
      command.outputHelp();
      finish(EXIT.done);
    });
  const load = () => import('../sessions/subcommands.ts');
  listing(part(command, 'list'))
    .description('Lists sessions, the newest first.')
    .action(async (flags: ListFlags) => finish(await (await load()).list(flags)));
  listing(part(command, 'search').argument('<text>', 'the text to look for, in upper or lower case'))
    .description('Finds the turns of all sessions that contain a text: inputs, replies, calls and their results.')
    .action(async (text: string, flags: ListFlags) => finish(await (await load()).search(text, flags)));
  json(part(command, 'show').argument('<id>', ID))
    .description('Shows a conversation turn by turn.')
    .option('--turn <n>', 'only this turn', turnNumber)
    .option('--full', 'outputs of tools whole')
    .action(async (id: string, flags: ShowFlags) => finish(await (await load()).show(id, flags)));
  json(part(command, 'fork').argument('<id>', ID))
    .description('Starts a new session that shares the past of another; prints its id.')
    .option('--turn <n>', 'the last turn to keep; 0 keeps none (default: all)', turnNumber)
    .option('--at <uuid>', 'the last message to keep, by its uuid in the lines of a run')
    .option('--session-id <id>', 'the id of the new session')
    .action(async (id: string, flags: ForkFlags) => finish(await (await load()).fork(id, flags)));
  defineRewind(part(command, 'rewind'), finish);
  json(part(command, 'rename').argument('<id>', ID).argument('<title>', 'what it is called from now on'))
    .description('Gives a session another title in lists.')
    .action(async (id: string, title: string, flags: Json) =>
      finish(await (await load()).rename(id, { ...flags, title })),
    );
  part(command, 'export')
    .argument('<id>', ID)
    .description('Writes a whole session to one file.')
    .option('-o, --output <file>', 'where to (default: stdout)')
    .addOption(new Option('--as <agent>', 'as a transcript of that agent').choices(['claude']))
    .action(async (id: string, flags: { readonly output?: string; readonly as?: 'claude' }) =>
      finish(await (await load()).exportSession(id, flags)),
    );
  defineImport(part(command, 'import'), finish);
  json(part(command, 'delete').argument('<id>', ID))
    .description('Moves a session to the trash, where it stays for 30 days.')
    .option('--forever', 'delete it at once')
    .action(async (id: string, flags: Json & { readonly forever?: boolean }) =>
      finish(await (await load()).remove(id, flags)),
    );
}

type ImportFlags = Json & { readonly from?: string; readonly limit: number };

function defineImport(command: Command, finish: (exitCode: number) => void): void {
  json(
    command.argument('[file]', 'what `sessions export` wrote (- for stdin), or with --from the file of another agent'),
  )
    .description(
      'Imports a session: an exported one, or one of another agent. Without a file, --from lists what is there.',
    )
    .option('--from <agent>', 'claude, codex, gemini, pi, opencode, goose or cline')
    .option('--limit <n>', 'list at most so many', turnNumber, 50)
    .action(async (file: string | undefined, flags: ImportFlags) => {
      if (flags.from !== undefined) {
        const { importForeign } = await import('../sessions/import-foreign.ts');
        return finish(await importForeign(file, { ...flags, from: flags.from }));
      }
      if (file === undefined)
        throw new CommandFailure(
          'give a file, or --from claude, codex, gemini, pi, opencode, goose or cline.',
          EXIT.usage,
        );
      finish(await (await import('../sessions/subcommands.ts')).importSession(file, flags));
    });
}

function defineRewind(command: Command, finish: (exitCode: number) => void): void {
  json(command.argument('<id>', ID))
    .description(
      'Takes a conversation, and the files that it changed, back to a turn. Nothing is lost: --redo goes forward again.',
    )
    .option('--turn <n>', 'the last turn to keep; 0 keeps none', turnNumber)
    .option('--redo', 'take back the last rewind')
    .option('--only <what>', 'conversation or files (default: both)')
    .option('--dry-run', 'only show what would change')
    .option('-y, --yes', 'change files without asking')
    .action(async (id: string, flags: RewindFlags) => {
      const { rewind } = await import('../sessions/rewind.ts');
      finish(await rewind(id, flags));
    });
}

const ID = "the session's id, or the beginning of it";

const EXAMPLES = `
An id may be shortened as long as only one session's id begins that way.
Exit code 0 done, 2 wrong usage, 3 no such session, 4 refused (for example in use by another process).

Examples:
  attractor sessions list --here
  attractor sessions show ses_01m7 --turn 4 --full
  attractor sessions search "rate limit" --json
  attractor sessions fork ses_01m7 --turn 6
  attractor sessions rewind ses_01m7 --turn 6 --dry-run
  attractor sessions export ses_01m7 -o session.jsonl && attractor sessions import session.jsonl
  attractor sessions export ses_01m7 --as claude
  attractor sessions rename ses_01m7 "the retry bug"
  attractor sessions import --from claude
  attractor sessions import --from codex ~/.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-x.jsonl
  attractor sessions delete ses_01m7`;

function part(command: Command, name: string): Command {
  return quiet(command.command(name));
}

function json(command: Command): Command {
  return command.option('--json', 'one JSON object a line, for scripts');
}

function listing(command: Command): Command {
  return json(command)
    .option('--here', 'only sessions of this folder')
    .option('--limit <n>', 'at most so many', turnNumber, 50);
}

function turnNumber(given: string): number {
  const value = Number(given);
  if (given.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    throw new CommandFailure(`expected a whole number from 0 up, not '${given}'.`, EXIT.usage);
  return value;
}
