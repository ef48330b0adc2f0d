import path from 'node:path';
import type { ShellPart } from '@attractor/shell';
import type { PathForms } from './real-path.ts';
import type { Forced } from './unit.ts';

/** What a part of the work is limited to, whatever rules and people allow. */
export type WorkLimit = {
  /** Why a file is not to be changed now, by its path below the folder of the work; null: it may be. */
  readonly refuses: (file: string) => string | null;
  /** Besides what only reads, these programs and no others may run. Absent: any. */
  readonly programs?: { readonly names: ReadonlyArray<string>; readonly reason: string };
};

/** The folders of the work. */
type Limited = { readonly limit?: WorkLimit; readonly root: string; readonly folders: ReadonlyArray<string> };

/** A link and what it leads to are both held against the limit. What is outside the work is judged like everything else. */
export function refusedByLimit({ limit, root, folders }: Limited, { asked, real }: PathForms): string | null {
  if (limit === undefined) return null;
  const [realRoot = root] = folders;
  const below = [path.relative(root, asked), real === null ? '..' : path.relative(realRoot, real)];
  const inside = below.filter((one) => one !== '..' && !one.startsWith('../') && !path.isAbsolute(one));
  return inside.reduce<string | null>((why, file) => why ?? limit.refuses(file), null);
}

const READS: ReadonlySet<string> = new Set(['read', 'guarded']);

/** Why a part of a command may not run now. */
export function programRefused({ limit }: Pick<Limited, 'limit'>, { effect, argv }: ShellPart): Forced | null {
  const programs = limit?.programs;
  if (programs === undefined || READS.has(effect) || programs.names.includes(argv?.[0] ?? '')) return null;
  return { decision: 'deny', reason: programs.reason };
}
