import type { ExecutionEnvironment } from '../../types/index.ts';
import type { Change } from './plan.ts';

/** Makes all the changes, or none: when one fails, those before it are taken back and the failure is thrown. */
export async function commitChanges(changes: ReadonlyArray<Change>, env: ExecutionEnvironment): Promise<void> {
  const done: Change[] = [];
  try {
    for (const change of changes) {
      await apply(change, env);
      done.push(change);
    }
  } catch (error) {
    for (const change of done.toReversed()) await revert(change, env);
    throw error;
  }
}

async function apply(change: Change, env: ExecutionEnvironment): Promise<void> {
  switch (change.kind) {
    case 'create':
      return env.writeFile(change.path, change.content);
    case 'remove':
      return env.deleteFile(change.path);
    case 'replace':
      return env.writeFile(
        change.path,
        change.content,
        change.version === undefined ? {} : { expectedVersion: change.version },
      );
    case 'move':
      return move(env, change.path, change.to);
  }
}

async function revert(change: Change, env: ExecutionEnvironment): Promise<void> {
  switch (change.kind) {
    case 'create':
      return env.deleteFile(change.path);
    case 'remove':
    case 'replace':
      return env.writeFile(change.path, change.before);
    case 'move':
      return move(env, change.to, change.path);
  }
}

/** An environment that can't rename copies the text; mode and owner are then those of a new file. */
async function move(env: ExecutionEnvironment, from: string, to: string): Promise<void> {
  if (env.moveFile !== undefined) return env.moveFile(from, to);
  await env.writeFile(to, await env.readText(from));
  await env.deleteFile(from);
}
