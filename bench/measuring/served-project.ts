import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { composeServer } from '@attractor/server';

export const ACTOR = { type: 'user', name: 'bench' } as const;

/** A real server in a home, with one project of an empty repository; nothing runs there. */
export async function serveProject(home: string, webRoot: string | null) {
  const composed = await composeServer({ home, env: process.env, port: 0, webRoot, concurrency: 0 });
  if (!composed.ok) throw new Error(composed.error.message);
  const repository = join(home, 'repository');
  execFileSync('git', ['init', '--quiet', '-b', 'main', repository]);
  const commit = ['commit', '--quiet', '--allow-empty', '-m', 'first'];
  execFileSync('git', ['-C', repository, '-c', 'user.name=b', '-c', 'user.email=b@example.test', ...commit]);
  const project = await composed.value.workflow.createProject({ path: repository }, ACTOR);
  if (!project.ok) throw new Error(project.error.message);
  return { ...composed.value, project: project.value };
}
