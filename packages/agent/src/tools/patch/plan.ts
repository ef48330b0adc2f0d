import type { ExecutionEnvironment } from '../../types/index.ts';
import { knownVersion } from '../seen-files.ts';
import { applyHunks } from './apply-hunks.ts';
import type { PatchOperation } from './parse.ts';

/** What one operation does to the files, with all that is needed to take it back. */
export type Change =
  | { readonly kind: 'create'; readonly path: string; readonly content: string }
  | { readonly kind: 'remove'; readonly path: string; readonly before: string }
  | {
      readonly kind: 'replace';
      readonly path: string;
      readonly before: string;
      readonly content: string;
      readonly version?: string;
    }
  | { readonly kind: 'move'; readonly path: string; readonly to: string };

export type Plan =
  | { readonly ok: true; readonly changes: ReadonlyArray<Change> }
  | { readonly ok: false; readonly reason: string };

/** Reads everything and changes nothing: a patch that does not fit somewhere is refused as a whole. */
export async function planPatch(operations: ReadonlyArray<PatchOperation>, env: ExecutionEnvironment): Promise<Plan> {
  const changes: Change[] = [];
  for (const operation of operations) {
    const planned = await planOne(operation, env);
    if (typeof planned === 'string') return { ok: false, reason: `${operation.path}: ${planned}` };
    changes.push(...planned);
  }
  return { ok: true, changes };
}

async function planOne(operation: PatchOperation, env: ExecutionEnvironment): Promise<ReadonlyArray<Change> | string> {
  const { path } = operation;
  if (operation.kind === 'add') {
    return (await env.fileExists(path)) ? 'it exists already; update it instead' : [{ ...operation, kind: 'create' }];
  }
  const version = (await env.fileVersion?.(path)) ?? undefined;
  const known = knownVersion(env, path);
  if (known !== undefined && version !== undefined && known !== version)
    return 'it changed since it was read: read it again';
  const before = await env.readText(path);
  if (operation.kind === 'delete') return [{ kind: 'remove', path, before }];
  const applied = applyHunks(before, operation.hunks);
  if (!applied.ok) return applied.reason;
  const replace = {
    kind: 'replace' as const,
    path,
    before,
    content: applied.content,
    ...(version === undefined ? {} : { version }),
  };
  if (operation.moveTo === null) return [replace];
  if (await env.fileExists(operation.moveTo)) return `${operation.moveTo} exists already: nothing is moved onto it`;
  return [replace, { kind: 'move', path, to: operation.moveTo }];
}
