import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isUnreachable } from './postgres-failure.ts';

/** Two failed checks, plus the silence before them, still take less than 5 s. */
const LOOK_TIMEOUT_MS = 1_500;
const CONNECT_TIMEOUT_MS = 4_000;
const GOODBYE_MS = 3_000;
/** One check may fall between an answer's sending and its arrival; two in a row do not. */
const DOUBTS_OF_THE_DEAD = 2;
/** If the server can't be asked (no free connection, a pooler in between), only the silence itself counts: this many times as long. */
const UNASKED = 15;

type WatchedConnection = {
  readonly client: pg.Client;
  bytes: number;
  /** When data last came through it, and whether a query was open then. */
  movedAt: number;
  isAsking: boolean;
  lookedAt: number;
  doubts: number;
};

type Verdict = 'works' | 'dead' | 'unknown';

/**
 * Detects connections that are open and dead. If a connection with an open query brings nothing for `silenceMs`, the server is asked about
 * it over a new connection: if it is working on the query, however long, we wait; if it waits for us or does not know the connection,
 * twice, or can't be reached, we do not. A connection that is cut off is also ended at the server, so it holds no lock there. Nothing is
 * sent through an idle connection, and nothing is added to a query that is answered.
 */
export type ConnectionWatch = {
  /** For a pool: each of its connections is watched, and one that is not established in time is given up. */
  readonly ofPool: {
    readonly Client: new (config?: pg.ClientConfig) => pg.Client;
    readonly connectionTimeoutMillis: number;
  };
  /** Called when all pools have `ended`: those that do not end by themselves, since nobody answers, are cut off. */
  readonly stop: (ended: Promise<unknown>) => Promise<void>;
};

export function watchConnections(config: pg.ClientConfig, silenceMs: number): ConnectionWatch {
  const lines = new Set<WatchedConnection>();
  let looking: Promise<void> | null = null;
  const tick = (): void => {
    noteMoves(lines);
    const silent = [...lines].filter((line) => isSilent(line, silenceMs));
    if (silent.length > 0)
      looking ??= look(config, { lines, silent, silenceMs }).finally(() => {
        looking = null;
      });
  };
  const timer = setInterval(tick, silenceMs / 2);
  timer.unref();
  class Client extends pg.Client {
    constructor(given?: pg.ClientConfig) {
      super(given);
      const now = performance.now();
      const line: WatchedConnection = {
        client: this,
        bytes: 0,
        movedAt: now,
        isAsking: false,
        lookedAt: now,
        doubts: 0,
      };
      this.once('connect', () => void lines.add(line));
      this.once('end', () => void lines.delete(line));
    }
  }
  return {
    ofPool: { Client, connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    stop: async (ended) => {
      const patience = new AbortController();
      const cut = sleep(GOODBYE_MS, undefined, { signal: patience.signal }).then(
        () => {
          for (const { client } of lines) client.connection.stream.destroy();
        },
        () => undefined,
      );
      await Promise.race([ended, cut]).finally(() => patience.abort());
      clearInterval(timer);
    },
  };
}

function noteMoves(lines: ReadonlySet<WatchedConnection>): void {
  const now = performance.now();
  for (const line of lines) {
    const bytes = bytesRead(line.client);
    const isAsking = hasOpenQuestion(line.client);
    if (bytes === line.bytes && isAsking === line.isAsking) continue;
    Object.assign(line, { bytes, isAsking, movedAt: now, lookedAt: now, doubts: 0 });
  }
}

function isSilent({ isAsking, lookedAt, doubts }: WatchedConnection, silenceMs: number): boolean {
  return isAsking && (doubts > 0 || performance.now() - lookedAt >= silenceMs);
}

function bytesRead({ connection }: pg.Client): number {
  return connection.stream instanceof Socket ? connection.stream.bytesRead : 0;
}

/** An internal flag of the library that its types omit: false from sending a query to the end of its answer. */
function hasOpenQuestion(client: pg.Client): boolean {
  return 'readyForQuery' in client && client.readyForQuery === false;
}

function serverPid(client: pg.Client): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0;
}

type Round = {
  readonly lines: ReadonlySet<WatchedConnection>;
  readonly silent: ReadonlyArray<WatchedConnection>;
  readonly silenceMs: number;
};

async function look(config: pg.ClientConfig, round: Round): Promise<void> {
  const asker = new pg.Client({
    ...config,
    connectionTimeoutMillis: LOOK_TIMEOUT_MS,
    query_timeout: LOOK_TIMEOUT_MS,
  });
  asker.on('error', () => undefined);
  try {
    const verdicts = await ask(asker, round.silent);
    noteMoves(round.lines);
    const dead = round.silent.filter((line) => isDead(line, verdicts(line), round.silenceMs));
    if (dead.length > 0) await cutOff(asker, [...dead, ...besides(dead, round)]);
  } finally {
    void asker.end().catch(() => undefined);
  }
}

type Activity = { readonly pid: number; readonly state: string | null; readonly wait_event_type: string | null };

async function ask(
  asker: pg.Client,
  silent: ReadonlyArray<WatchedConnection>,
): Promise<(line: WatchedConnection) => Verdict> {
  try {
    await asker.connect();
    const { rows } = await asker.query<Activity & { readonly own: number }>(
      `select pid, state, wait_event_type, pg_backend_pid() as own from pg_stat_activity
        where pid = any($1) or pid = pg_backend_pid()`,
      [silent.map(({ client }) => serverPid(client))],
    );
    // A pooler reports its own process ids, which say nothing about the server's.
    if (rows[0]?.own !== serverPid(asker)) return () => 'unknown';
    return ({ client }) => verdictOn(rows.find(({ pid }) => pid === serverPid(client)));
  } catch (error) {
    const verdict = isUnreachable(error) ? 'dead' : 'unknown';
    return () => verdict;
  }
}

/** `Client`: the server waits for the rest of a query, or for somebody to read the answer. */
function verdictOn(activity: Activity | undefined): Verdict {
  if (activity === undefined) return 'dead';
  if (activity.state === null || activity.state === 'disabled') return 'unknown';
  const isBusy = activity.state === 'active' || activity.state === 'fastpath function call';
  return isBusy && activity.wait_event_type !== 'Client' ? 'works' : 'dead';
}

/** A connection with traffic while the server was asked is alive. */
function isDead(line: WatchedConnection, verdict: Verdict, silenceMs: number): boolean {
  const now = performance.now();
  if (now - line.movedAt < silenceMs) return false;
  line.doubts = verdict === 'dead' ? line.doubts + 1 : 0;
  line.lookedAt = now;
  if (verdict === 'works') line.movedAt = now - silenceMs;
  return line.doubts >= DOUBTS_OF_THE_DEAD || (verdict === 'unknown' && now - line.movedAt >= UNASKED * silenceMs);
}

/** If one connection is open and dead, the idle ones beside it most likely are too: they are not tried one after another. */
function besides(
  dead: ReadonlyArray<WatchedConnection>,
  { lines, silenceMs }: Round,
): ReadonlyArray<WatchedConnection> {
  const since = performance.now() - silenceMs;
  return [...lines].filter((line) => !line.isAsking && line.movedAt < since && !dead.includes(line));
}

async function cutOff(asker: pg.Client, lines: ReadonlyArray<WatchedConnection>): Promise<void> {
  for (const { client } of lines) client.connection.stream.destroy();
  const pids = lines.map(({ client }) => serverPid(client));
  // The server notices dead connections much later, or never; one that has resumed work is left to end by itself.
  await asker
    .query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid = any($1) and pid <> pg_backend_pid()
        and usename = current_user and datname = current_database() and (state <> 'active' or wait_event_type = 'Client')`,
      [pids],
    )
    .catch(() => undefined);
}
