import { archiveDatabase, compactDatabase } from '@attractor/platform';
import { defined } from '@attractor/base';
import { CommandFailure, EXIT, unwrap, bytesText } from '@attractor/console';
import { homeFolder } from '../settings.ts';
import { ownDatabase, print, shown, sqliteHome } from './database.ts';

export type ArchiveFlags = {
  readonly json?: boolean;
  readonly olderThan?: string;
  readonly project?: string;
  readonly dryRun?: boolean;
  readonly compact?: boolean;
};

export async function archive(flags: ArchiveFlags): Promise<number> {
  const { project, dryRun: isTrial } = flags;
  const olderThanDays = flags.olderThan === undefined ? undefined : readDays(flags.olderThan);
  const compactHome = flags.compact === true ? sqliteHome('VACUUM FULL events') : null;
  const choice = { home: homeFolder(process.env), ...defined({ project, olderThanDays, isTrial }) };
  const { runs, unlimited } = unwrap(
    await shown(flags, 'archiving', (tell) => archiveDatabase(ownDatabase(), choice, tell)),
  );
  const compacted = compactHome === null || isTrial === true ? null : compactDatabase(compactHome);
  const sum = (of: (run: (typeof runs)[number]) => number): number => runs.reduce((all, run) => all + of(run), 0);
  const [events, bytes] = [sum((run) => run.events), sum((run) => run.bytes)];
  const what = `${events} messages of ${runs.length} runs`;
  print(flags, { runs, events, bytes, unlimited, compacted, isTrial: isTrial === true }, [
    isTrial === true ? `Would move ${what}.` : `Moved ${what} into ${bytesText(bytes)} of files.`,
    ...(unlimited.length === 0 ? [] : [keepsAll(unlimited)]),
    ...(compacted === null
      ? []
      : [`The database has ${bytesText(compacted.after)}; it had ${bytesText(compacted.before)}.`]),
  ]);
  return EXIT.done;
}

function keepsAll(projects: ReadonlyArray<string>): string {
  return `${projects.join(', ')}: keeps everything. Give --older-than, or the project's setting keepTranscriptsDays.`;
}

function readDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days <= 100_000) return days;
  throw new CommandFailure(`--older-than: expected a number of days, such as 90, and not "${text}"`, EXIT.usage);
}
