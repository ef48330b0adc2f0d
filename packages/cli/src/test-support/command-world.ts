import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlatformWorkflow, Project, Task } from '@attractor/platform';
import { composeServer, type ComposedServer } from '@attractor/server';
import type { ExitCode } from '../exit.ts';
import { setCommonEnvironment } from './run-command.ts';

const PERSON = { type: 'user', name: 'Ada' } as const;

/** A home with a server that nobody works in, and a project of one commit: commands find both by themselves. */
export type World = {
  readonly home: string;
  readonly repository: string;
  readonly folder: string;
  readonly project: Project;
  readonly workflow: PlatformWorkflow;
  readonly server: ComposedServer;
  /** A new task, in the pipeline `simple` unless another is named. */
  readonly task: (fields?: { readonly title?: string; readonly pipelineId?: string }) => Promise<Task>;
  readonly close: () => Promise<void>;
};

/** One way to call a command: what comes after its name, and what a script learns. */
export type Case = {
  readonly args: ReadonlyArray<string>;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly exit: ExitCode;
  /** A part of stdout where it is done, of the one line on stderr where it is not. */
  readonly says?: string;
  /** Fields that each line of JSON has. */
  readonly keys?: ReadonlyArray<string>;
};

export type Row = { readonly command: string; readonly cases: (world: World) => Promise<ReadonlyArray<Case>> };

export async function openWorld(): Promise<World> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-commands-')));
  const [home, repository] = [join(folder, 'home'), join(folder, 'repository')];
  makeRepository(repository);
  const composed = await composeServer({ home, env: {}, llm: {}, concurrency: 0, announce: true });
  if (!composed.ok) throw new Error(composed.error.message);
  const server = composed.value;
  const { workflow } = server;
  const project = must(await workflow.createProject({ path: repository, name: 'sample' }, PERSON));
  setCommonEnvironment({
    ATTRACTOR_HOME: home,
    HOME: folder,
    ATTRACTOR_PROJECT_ID: project.id,
    ATTRACTOR_SERVER: '',
    ATTRACTOR_DATABASE_URL: '',
    ATTRACTOR_TOKEN: '',
  });
  return {
    home,
    repository,
    folder,
    project,
    workflow,
    server,
    task: async ({ title = 'A task', pipelineId = 'simple' } = {}) =>
      must(await workflow.createTask({ projectId: project.id, title, pipelineId }, PERSON)),
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function makeRepository(folder: string): void {
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', '-C', folder, ...args]);
  execFileSync('git', ['init', '--quiet', '-b', 'main', folder]);
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
}

export function must<Value>(
  result:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly error: { readonly message: string } },
): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
