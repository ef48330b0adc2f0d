import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { done } from '@attractor/base';
import type { TellHowFar } from '../database/backup.ts';
import { DATABASE_FILE, openStore, type StoreLocation } from '../database/open-store.ts';
import type { Reader, Store } from '../database/store.ts';
import type { Project } from '../types/project.ts';
import { refuse, type Result } from '../types/refusal.ts';
import { type ArchivedRun, archiveRun, listArchivable } from './archive-runs.ts';
import { findProjectByKey, listProjects } from './projects.ts';

export type ArchiveChoice = {
  /** Where the files are written. */
  readonly home: string;
  /** The key of the one project that is meant. Absent: every project. */
  readonly project?: string;
  /** Absent: as each project says (`keepTranscriptsDays`); one that says nothing keeps everything. */
  readonly olderThanDays?: number;
  /** Only says what would be moved. */
  readonly isTrial?: boolean;
};

export type Archived = {
  readonly runs: ReadonlyArray<Omit<ArchivedRun, 'path'>>;
  readonly unlimited: ReadonlyArray<string>;
};

const DAY_MS = 24 * 3_600_000;

/** Moves the transcripts of runs that ended long ago into compressed files. `unlimited` are the projects that keep everything. */
export async function archiveOld(
  store: Store,
  choice: ArchiveChoice,
  tell: TellHowFar = () => undefined,
): Promise<Result<Archived>> {
  const projects = await chosenProjects(store.read, choice);
  if (!projects.ok) return projects;
  const runs: Array<Archived['runs'][number]> = [];
  const unlimited: string[] = [];
  for (const { id, key, config } of projects.value) {
    const days = choice.olderThanDays ?? config.keepTranscriptsDays;
    if (days === undefined) {
      unlimited.push(key);
      continue;
    }
    const before = new Date(Date.now() - days * DAY_MS).toISOString();
    for (const run of await listArchivable(store.read, { projectId: id, before })) {
      tell(`${run.key}, ${runs.length} runs`);
      const archived =
        choice.isTrial === true
          ? done({ run: run.key, bytes: 0, events: run.events })
          : await archiveRun(store, run, choice.home);
      if (!archived.ok) return archived;
      if (archived.value === null) continue;
      const { run: of, bytes, events } = archived.value;
      runs.push({ run: of, bytes, events });
    }
  }
  return done({ runs, unlimited });
}

async function chosenProjects(db: Reader, { project }: ArchiveChoice): Promise<Result<ReadonlyArray<Project>>> {
  if (project === undefined) return done(await listProjects(db));
  const found = await findProjectByKey(db, project);
  return found === null
    ? refuse('not_found', `There is no project ${project}: see "attractor projects list".`)
    : done([found]);
}

/** The same for a database that nobody has open here. */
export async function archiveDatabase(
  location: StoreLocation,
  choice: ArchiveChoice,
  tell?: TellHowFar,
): Promise<Result<Archived>> {
  const store = await openStore(location);
  if (!store.ok) return store;
  try {
    return await archiveOld(store.value, choice, tell);
  } finally {
    await store.value.close();
  }
}

/** Gives back to the disk what the SQLite database no longer needs. Others wait meanwhile. */
export function compactDatabase(home: string): { readonly before: number; readonly after: number } {
  const file = join(home, DATABASE_FILE);
  const before = statSync(file).size;
  const database = new DatabaseSync(file, { timeout: 60_000 });
  try {
    database.exec('vacuum; pragma wal_checkpoint(truncate);');
  } finally {
    database.close();
  }
  return { before, after: statSync(file).size };
}
