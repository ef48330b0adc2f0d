import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { type Simulator, startSimulator } from '@attractor/simulator';
import { openStore, type Store } from '@attractor/store';
import { makeFolder, must, PERSON, type PostgresServer, sharedDatabase, startPostgres } from '@attractor/store/testing';
import { openPlatform, unconfined } from '@attractor/platform';
import { onTestFinished } from 'vitest';
import { makeMember, type Member } from './chaos-member.ts';

export const CALLS = [1, 2, 3, 4];
const HOUR_MS = 3_600_000;

export type ChaosWorld = {
  /** Everything that the children use is below it. */
  readonly folder: string;
  /** A line for each call that was begun: the branch, and the number of the call. */
  readonly counted: string;
  readonly remote: string;
  readonly clone: string;
  /** Null: the one of all tests, which may not be ended. */
  readonly postgres: PostgresServer | null;
  readonly store: Store;
  readonly databaseUrl: string;
  readonly taskIds: ReadonlyArray<string>;
  readonly server: Member;
  readonly workers: ReadonlyArray<Member>;
};

export async function openChaos(options: {
  readonly tasks: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly ownDatabase: boolean;
  /** Each worker is on a machine of its own: nobody finds the first clone, and only leases tell who is gone. */
  readonly isApart: boolean;
  /** A checkout of an earlier version, from which the first worker starts before this version changes the database. */
  readonly before?: string | undefined;
}): Promise<ChaosWorld> {
  const folder = makeFolder();
  const postgres = options.ownDatabase ? await startPostgres(200) : null;
  onTestFinished(() => postgres?.stop());
  const databaseUrl = postgres === null ? await sharedDatabase() : await postgres.database();
  const counted = join(folder, 'counted');
  const simulator = await startModel();
  const place = { folder, databaseUrl, model: simulator.baseUrls.anthropic, isApart: options.isApart };
  const makeWorker = (index: number): Promise<Member> =>
    makeMember({
      ...place,
      name: `worker${index}`,
      concurrency: options.concurrency,
      clockMs: [0, HOUR_MS, -HOUR_MS][index] ?? 0,
      hasSmallDisk: index === 1,
      before: index === 0 ? options.before : undefined,
    });
  const first = await makeWorker(0);
  if (options.before !== undefined) await first.start();
  const made = await makeTasks({ folder, counted, databaseUrl, count: options.tasks, isApart: options.isApart });
  const store = must(await openStore({ databaseUrl }));
  onTestFinished(() => store.close());
  const server = await makeMember({ ...place, name: 'server', concurrency: 0, clockMs: 0 });
  const others = Array.from({ length: options.workers - 1 }, (_, index) => makeWorker(index + 1));
  const workers = [first, ...(await Promise.all(others))];
  await Promise.all([server, ...(options.before === undefined ? workers : workers.slice(1))].map((one) => one.start()));
  return { folder, counted, ...made, postgres, store, databaseUrl, server, workers };
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
  readonly isApart: boolean;
};

async function makeTasks({ folder, counted, databaseUrl, count, isApart }: Tasks) {
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
  if (isApart) renameSync(clone, `${clone}-lost`);
  const taskIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const overrides = { permissionMode: 'bypassPermissions' } as const;
    const input = { projectId: project.id, title: `Count ${index}`, pipelineId: 'simple', overrides };
    const { id } = must(await workflow.createTask(input, PERSON));
    must(await workflow.startAgent({ taskId: id, mode: 'implement' }, PERSON));
    taskIds.push(id);
  }
  await close();
  return { remote, clone, taskIds };
}
