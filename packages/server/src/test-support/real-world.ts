import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, createScriptedAgent, type Script } from '@attractor/adapters';
import { createApiClient, type ApiClient, type Answer } from '@attractor/api';
import { memoryParent } from '@attractor/base/testing';
import { openPlatform, unconfined, type PlatformWorkflow } from '@attractor/platform';
import { openedHome } from '@attractor/store/testing';
import { onTestFinished } from 'vitest';
import { createApp } from '../app.ts';
import { ownCopies } from '../own-copies.ts';
import { checkAnswers } from './check-answers.ts';
import { TOKEN } from './serve.ts';

export type RealWorld = {
  readonly home: string;
  readonly client: ApiClient;
  readonly workflow: PlatformWorkflow;
  /** Resolves when no run is at work or could be. */
  readonly idle: () => Promise<void>;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
};

/** A real platform on its own folder with a scripted agent, called through the app in the same process. */
export async function openRealWorld(
  scripts: ReadonlyArray<Script> = [],
  agents: ReadonlyArray<Agent> = [createScriptedAgent(scripts)],
): Promise<RealWorld> {
  const home = await openedHome(newFolder());
  const opened = await openPlatform({
    home,
    agents,
    env: { PATH: process.env['PATH'], HOME: home },
    confine: unconfined,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  onTestFinished(() => opened.value.close());
  const { workflow } = opened.value;
  const copies = ownCopies({ workflow, home, env: { PATH: process.env['PATH'], HOME: home } });
  onTestFinished(copies.close);
  const app = checkAnswers(createApp({ workflow, token: TOKEN, copies }));
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return {
    home,
    workflow,
    idle: opened.value.worker.idle,
    client: createApiClient({
      baseUrl: 'http://127.0.0.1',
      token: TOKEN,
      fetch: async (request) => app.fetch(request),
    }),
    fetch: async (path, init = {}) => app.fetch(new Request(`http://127.0.0.1${path}`, { headers, ...init })),
  };
}

export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(memoryParent(), 'attractor-server-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function newRepository(): string {
  const folder = newFolder();
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', ...args], { cwd: folder });
  git('init', '--quiet', '-b', 'main');
  writeFileSync(join(folder, 'sum.sh'), 'echo $(( $1 - $2 ))\n');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  return folder;
}

export function must<Value>(
  answer: Answer<Value> | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } },
): Value {
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.value;
}
