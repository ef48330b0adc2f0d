import { resumeTime } from '@attractor/adapters';
import { messageOf } from '@attractor/base';
import { readVersion } from './git-version.ts';
import { listProjects, listProviderLimits, readLimits, type Store } from '@attractor/store';
import type { DiskUsage, Health, HealthPart } from './findings.ts';
import { whyFull } from './disk-usage.ts';
import { readWorkers } from './worker-health.ts';

/** Uses the last measurement; measuring again would be too slow for a status check. */
export type HealthSources = {
  readonly store: Store;
  readonly disk: () => Promise<DiskUsage>;
  readonly supervised: boolean;
};

export async function readHealth(sources: HealthSources): Promise<Health> {
  const parts: HealthPart[] = [];
  for (const [name, look] of Object.entries(PARTS)) parts.push(await lookAt(name, look, sources));
  return { ok: parts.every(({ ok }) => ok), parts };
}

type Look = (sources: HealthSources) => Promise<Omit<HealthPart, 'name'>>;
/** Which agents can work is asked where they are known. */
type Name = Exclude<HealthPart['name'], 'agents'>;

const PARTS: Readonly<Record<Name, Look>> = {
  database: async ({ store }) => {
    const started = performance.now();
    await store.now();
    await store.read.selectFrom('projects').select('id').limit(1).execute();
    const ms = Math.round(performance.now() - started);
    return { ok: true, summary: `${store.dialect} answers in ${ms} ms`, detail: { dialect: store.dialect, ms } };
  },
  git: async ({ store }) => {
    const version = await readVersion(await listProjects(store.read));
    return version === null
      ? { ok: false, summary: 'git was not found: install git and put it on PATH', detail: {} }
      : { ok: true, summary: version, detail: { version } };
  },
  disk: async ({ disk }) => {
    const usage = await disk();
    const full = whyFull(usage);
    const used = `${(usage.totalBytes / 1e6).toFixed(0)} MB used by the home folder and ${usage.worktrees.length === 1 ? '1 worktree' : `${usage.worktrees.length} worktrees`}`;
    return { ok: full === null, summary: full ?? used, detail: { ...usage, worktrees: usage.worktrees.length } };
  },
  workers: ({ store }) => readWorkers(store),
  queue: async ({ store }) => {
    const row = await store.read
      .selectFrom('jobs')
      .select((jobs) => jobs.fn.countAll().as('waiting'))
      .where('state', '=', 'queued')
      .executeTakeFirst();
    const waiting = Number(row?.waiting ?? 0);
    const { isPaused } = await readLimits(store.read);
    const isHeld = isPaused && waiting > 0;
    const summary = isHeld
      ? `${waiting} waiting, and the queue is paused: attractor queue resume --all`
      : `${waiting} waiting`;
    return { ok: !isHeld, summary, detail: { waiting, isPaused } };
  },
  prompts: async ({ store }) => {
    const open = store.read.selectFrom('prompts').where('status', '=', 'pending');
    const row = await open.select((prompts) => prompts.fn.countAll().as('count')).executeTakeFirst();
    // Ids are in the order of their times, and an index has them: the others are counted and not read.
    const oldest = await open.select('created_at').orderBy('id').limit(1).executeTakeFirst();
    const [waiting, since] = [Number(row?.count ?? 0), oldest?.created_at ?? null];
    const summary = `${waiting} waiting for a person${since === null ? '' : `, the oldest since ${since}`}`;
    return { ok: true, summary, detail: { waiting, since } };
  },
  limits: async ({ store }) => {
    const now = new Date();
    const limits = await listProviderLimits(store.read, now.toISOString());
    const words = limits.map(({ account, until }) => `${account} resumes at ${resumeTime(new Date(until), now)}`);
    return { ok: limits.length === 0, summary: words.join('; ') || 'no provider is at its limit', detail: { limits } };
  },
  supervisor: async ({ supervised }) => ({
    ok: true,
    summary: supervised ? 'looks after runs from this process' : 'is left to other processes',
    detail: { supervised },
  }),
};

/** A part that can't be checked is not well; the other parts are still reported. */
async function lookAt(name: string, look: Look, sources: HealthSources): Promise<HealthPart> {
  const part = isName(name) ? name : 'database';
  try {
    return { name: part, ...(await look(sources)) };
  } catch (error) {
    return { name: part, ok: false, summary: messageOf(error), detail: {} };
  }
}

function isName(name: string): name is Name {
  return Object.hasOwn(PARTS, name);
}
