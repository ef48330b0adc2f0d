import { defined } from '@attractor/base';
import { EnvironmentError, type ExecutionEnvironment, type FileChange } from '../../types/index.ts';
import { knownVersion } from '../seen-files.ts';
import { applyHunks, type PatchOperation } from '@attractor/patch';

export type Plan =
  | { readonly ok: true; readonly changes: ReadonlyArray<FileChange>; readonly notes: ReadonlyArray<string> }
  | { readonly ok: false; readonly reason: string };

/** Reads everything and changes nothing: a patch that does not apply somewhere is refused as a whole. */
export async function planPatch(operations: ReadonlyArray<PatchOperation>, env: ExecutionEnvironment): Promise<Plan> {
  const changes: FileChange[] = [];
  const notes: string[] = [];
  for (const operation of operations) {
    const planned = await planOne(operation, env);
    if (typeof planned === 'string') return { ok: false, reason: `${operation.path}: ${planned}` };
    changes.push(planned.change);
    notes.push(...planned.notes.map((note) => `${operation.path}: ${note}`));
  }
  return { ok: true, changes, notes };
}

type Planned = { readonly change: FileChange; readonly notes: ReadonlyArray<string> };

async function planOne(operation: PatchOperation, env: ExecutionEnvironment): Promise<Planned | string> {
  try {
    switch (operation.kind) {
      case 'add':
        return await planAddition(operation, env);
      case 'delete':
        return await planDeletion(operation, env);
      case 'update':
        return await planUpdate(operation, env);
    }
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
    throw error;
  }
}

async function planAddition(
  { path, content }: Extract<PatchOperation, { kind: 'add' }>,
  env: ExecutionEnvironment,
): Promise<Planned | string> {
  if (await isTaken(env, path)) return 'it exists already; update it instead';
  return { change: { kind: 'write', path, content, expectedVersion: null }, notes: [] };
}

async function planDeletion(
  { path }: Extract<PatchOperation, { kind: 'delete' }>,
  env: ExecutionEnvironment,
): Promise<Planned | string> {
  const version = await versionToDelete(env, path);
  if (version === CHANGED) return CHANGED;
  return { change: { kind: 'delete', path, ...expecting(version) }, notes: [] };
}

/** A link that leads outside has no version here; deleting it touches nothing outside, and what isn't a link is refused then. */
async function versionToDelete(env: ExecutionEnvironment, path: string): ReturnType<typeof currentVersion> {
  try {
    return await currentVersion(env, path);
  } catch (error) {
    if (error instanceof EnvironmentError && error.code === 'outside') return undefined;
    throw error;
  }
}

async function planUpdate(
  { path, moveTo, hunks }: Extract<PatchOperation, { kind: 'update' }>,
  env: ExecutionEnvironment,
): Promise<Planned | string> {
  const version = await currentVersion(env, path);
  if (version === CHANGED) return CHANGED;
  const blocked = moveTo === null ? null : await problemOfNewName(moveTo, env);
  if (blocked !== null) return blocked;
  if (hunks.length === 0 && moveTo !== null) {
    return { change: { kind: 'move', path, to: moveTo, content: null, ...expecting(version) }, notes: [] };
  }
  const applied = applyHunks(await env.readText(path), hunks);
  if (!applied.ok) return applied.reason;
  const { content, notes } = applied;
  if (moveTo !== null) return { change: { kind: 'move', path, to: moveTo, content, ...expecting(version) }, notes };
  return { change: { kind: 'write', path, content, ...expecting(version) }, notes };
}

async function problemOfNewName(moveTo: string, env: ExecutionEnvironment): Promise<string | null> {
  try {
    return (await isTaken(env, moveTo)) ? `${moveTo} exists already: nothing is moved onto it` : null;
  } catch (error) {
    if (error instanceof EnvironmentError) return `it can't be moved to ${moveTo}. ${error.message}`;
    throw error;
  }
}

/** Throws for a path outside the root; an existence check alone would only return false. */
async function isTaken(env: ExecutionEnvironment, path: string): Promise<boolean> {
  return env.fileVersion === undefined ? env.fileExists(path) : (await env.fileVersion(path)) !== null;
}

const CHANGED = 'it changed since it was read: read it again';

/** The version before the file is read: a later change is noticed when the patch is applied. */
async function currentVersion(env: ExecutionEnvironment, path: string): Promise<string | undefined> {
  const version = (await env.fileVersion?.(path)) ?? undefined;
  const known = knownVersion(env, path);
  return known !== undefined && version !== undefined && known !== version ? CHANGED : version;
}

function expecting(version: string | undefined): { readonly expectedVersion?: string } {
  return defined({ expectedVersion: version });
}
