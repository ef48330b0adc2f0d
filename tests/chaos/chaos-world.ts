import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundledProgram, compileCache } from '@attractor/base/testing';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { type Simulator, startSimulator } from '@attractor/simulator';
import { openStore, type Store } from '@attractor/store';
import {
  makeFolder,
  must,
  PERSON,
  type PostgresServer,
  sharedDatabase,
  startPostgres,
  startProxy,
} from '@attractor/store/testing';
import { openPlatform, unconfined } from '@attractor/platform';
import { onTestFinished } from 'vitest';

const CHILD = join(import.meta.dirname, 'test-support/chaos-child.ts');
export const CALLS = [1, 2, 3, 4];
const HOUR_MS = 3_600_000;

/** A process that is started again when it was lost, behind its own line to the database. */
export type Member = {
  readonly line: Awaited<ReturnType<typeof startProxy>>;
  /** In its old home, or in a new one. */
  readonly start: (home?: 'new') => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly end: () => Promise<void>;
};

export type ChaosWorld = {
  /** Everything that the children use is below it. */
  readonly folder: string;
  /** A line for each call that was begun: the branch, and the number of the call. */
  readonly counted: string;
  readonly clone: string;
  /** Null: the one of all tests, which may not be ended. */
  readonly postgres: PostgresServer | null;
  readonly store: Store;
  readonly taskIds: ReadonlyArray<string>;
  readonly server: Member;
  readonly workers: ReadonlyArray<Member>;
};

export async function openChaos(options: {
  readonly tasks: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly ownDatabase: boolean;
}): Promise<ChaosWorld> {
  const folder = makeFolder();
  const postgres = options.ownDatabase ? await startPostgres(200) : null;
  onTestFinished(() => postgres?.stop());
  const databaseUrl = postgres === null ? await sharedDatabase() : await postgres.database();
  const counted = join(folder, 'counted');
  const simulator = await startModel();
  const { clone, taskIds } = await makeTasks({ folder, counted, databaseUrl, count: options.tasks });
  const store = must(await openStore({ databaseUrl }));
  onTestFinished(() => store.close());
  const place = { folder, databaseUrl, model: simulator.baseUrls.anthropic };
  const server = await makeMember({ ...place, name: 'server', concurrency: 0, clockMs: 0 });
  const workers = await Promise.all(
    Array.from({ length: options.workers }, (_, index) =>
      makeMember({
        ...place,
        name: `worker${index}`,
        concurrency: options.concurrency,
        clockMs: [0, HOUR_MS, -HOUR_MS][index] ?? 0,
      }),
    ),
  );
  return { folder, counted, clone, postgres, store, taskIds, server, workers };
}

async function startModel(): Promise<Simulator> {
  const simulator = await startSimulator({
    script: {
      turns: [
        ...CALLS.map((number) => ({ toolCalls: [{ use: 'shell' as const, command: `sh count.sh ${number}` }] })),
        { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
        { text: 'Finished.' },
      ],
    },
  });
  onTestFinished(() => simulator.close());
  return simulator;
}

type Tasks = {
  readonly folder: string;
  readonly counted: string;
  readonly databaseUrl: string;
  readonly count: number;
};

async function makeTasks({ folder, counted, databaseUrl, count }: Tasks) {
  const script = [
    `echo "$(git branch --show-current) $1" >> '${counted}'`,
    'echo $1 >> counted.txt',
    // Long enough to be lost in, for some longer than for others.
    'sleep 0.$(( $$ % 4 ))',
  ].join('\n');
  const [remote, clone] = [join(folder, 'remote.git'), join(folder, 'clone')];
  await git(folder, 'clone', '--quiet', '--bare', '--', await makeRepository({ 'count.sh': `${script}\n` }), remote);
  await git(folder, 'clone', '--quiet', '--', remote, clone);
  const options = { home: makeFolder(), databaseUrl, env: ENV, confine: unconfined };
  const { workflow, close } = must(
    await openPlatform({ ...options, agents: [], defaultAgentType: 'native', concurrency: 0, supervise: false }),
  );
  const project = must(await workflow.createProject({ path: clone }, PERSON));
  must(await workflow.updateProject(project.id, { config: { git: { remoteUrl: remote } } }, PERSON));
  const taskIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const overrides = { permissionMode: 'bypassPermissions' } as const;
    const input = { projectId: project.id, title: `Count ${index}`, pipelineId: 'simple', overrides };
    const { id } = must(await workflow.createTask(input, PERSON));
    must(await workflow.startAgent({ taskId: id, mode: 'implement' }, PERSON));
    taskIds.push(id);
  }
  await close();
  return { clone, taskIds };
}

type Place = {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly model: string;
  readonly name: string;
  readonly concurrency: number;
  readonly clockMs: number;
};

async function makeMember({ folder, databaseUrl, model, name, concurrency, clockMs }: Place): Promise<Member> {
  const line = await startProxy(databaseUrl);
  onTestFinished(() => line.close());
  const temporary = join(folder, `tmp-${name}`);
  mkdirSync(temporary);
  let homes = 0;
  let child: ChildProcess | null = null;
  onTestFinished(() => void child?.kill('SIGKILL'));
  const start = async (home?: 'new'): Promise<void> => {
    if (home === 'new') homes += 1;
    const args = [join(folder, `${name}-home${homes}`), line.url, model, String(concurrency), name, String(clockMs)];
    // A database that is away just now is asked again, as a service manager would have it done.
    for (;;) {
      const one = spawn(process.execPath, [bundledProgram(CHILD), ...args], {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { PATH: ENV.PATH, HOME: ENV.HOME, TMPDIR: temporary, ...compileCache() },
      });
      child = one;
      const began = await Promise.race([
        once(one.stdout, 'data').then(() => true),
        once(one, 'exit').then(() => false),
      ]);
      if (began) return;
      await sleep(500);
    }
  };
  return {
    line,
    start,
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    end: async () => {
      child?.stdin?.end();
      if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
