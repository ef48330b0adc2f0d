import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Result } from '@attractor/base';
import { memoryParent } from '@attractor/base/testing';
import type { PlatformWorkflow, Project, Task } from '@attractor/platform';
import { composeServer, type ComposedServer } from '@attractor/server';
import type { ExitCode } from '@attractor/console';
import { setCommonEnvironment } from './run-command.ts';

const PERSON = { type: 'user', name: 'Ada' } as const;

/** A home with a server that no worker uses, and a project of one commit: commands find both by themselves. */
export type World = {
  readonly home: string;
  readonly repository: string;
  readonly folder: string;
  readonly project: Project;
  readonly workflow: PlatformWorkflow;
  readonly server: ComposedServer;
  /** The address of a server on loopback that accepts whatever is sent. */
  readonly listener: string;
  /** A new task, in the pipeline `simple` unless another is named. */
  readonly task: (fields?: { readonly title?: string; readonly pipelineId?: string }) => Promise<Task>;
  readonly close: () => Promise<void>;
};

/** One way to call a command: its arguments, and what a script learns. */
export type Case = {
  readonly args: ReadonlyArray<string>;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly exit: ExitCode;
  /** A part of stdout if it succeeds, otherwise of the one line on stderr. */
  readonly says?: string;
  /** Fields that each line of JSON has. */
  readonly keys?: ReadonlyArray<string>;
};

export type Row = { readonly command: string; readonly cases: (world: World) => Promise<ReadonlyArray<Case>> };

/** `more`: further variables of the server. */
export async function openWorld(more: Readonly<Record<string, string>> = {}): Promise<World> {
  const folder = realpathSync(mkdtempSync(join(memoryParent(), 'attractor-commands-')));
  const [home, repository] = [join(folder, 'home'), join(folder, 'repository')];
  makeRepository(repository);
  makeGh(join(folder, 'bin'));
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, ...more };
  const composed = await composeServer({ home, env, llm: {}, concurrency: 0, announce: true });
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
  const listening = await listen();
  return {
    home,
    repository,
    folder,
    project,
    workflow,
    server,
    listener: addressOf(listening),
    task: async ({ title = 'A task', pipelineId = 'simple' } = {}) =>
      must(await workflow.createTask({ projectId: project.id, title, pipelineId }, PERSON)),
    close: async () => {
      listening.close();
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

async function listen(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200).end();
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return server;
}

function addressOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hook`;
}

const ISSUE = {
  number: 4,
  title: 'Broken',
  body: 'It is.',
  url: 'https://github.com/ada/slugs/issues/4',
  labels: [{ name: 'bug' }],
  state: 'OPEN',
};

/** A stand-in for GitHub's own program, signed in, for a repository with one open issue. */
function makeGh(folder: string): void {
  mkdirSync(folder);
  const program = join(folder, 'gh');
  const answers = `case "$1 $2" in "issue list") echo '${JSON.stringify([ISSUE])}' ;; esac`;
  writeFileSync(program, `#!/bin/sh\n${answers}\n`);
  chmodSync(program, 0o755);
}

export function must<Value>(result: Result<Value, { readonly message: string }>): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
