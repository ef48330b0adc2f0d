import { createFolderWatches, type FolderWatches } from './folder-watches.ts';
import type { GitFolder } from './git-harm.ts';
import { createNamedFiles, type NamedFiles } from './named-files.ts';
import type { Aside } from './put-aside.ts';
import type { KnownFiles } from './record.ts';
import type { Named } from './survey.ts';

export type GuardOptions = {
  readonly roots: ReadonlyArray<string>;
  readonly homes: ReadonlyArray<string>;
  /** Paths that a person allowed to be made. */
  readonly allowed: ReadonlyArray<string>;
  /** Told of what is left alone, before a command starts. */
  readonly onKnown: (known: KnownFiles) => void;
  /** Told once a second while a command runs, and when it has ended. */
  readonly onBeat: () => void;
};

/** What the kernel told of a folder that is watched. */
export type Change = { readonly folder: string; readonly kind: 'rename' | 'change'; readonly name: string | null };

/** What a guard knows and watches. */
export type State = GuardOptions & {
  holders: number;
  /** The last command has ended, and not all of its changes may have been told yet. */
  isSettling: boolean;
  settling: NodeJS.Timeout | undefined;
  count: number;
  timer: NodeJS.Timeout | undefined;
  batch: NodeJS.Timeout | undefined;
  lookedAt: number;
  folders: Set<string>;
  names: Map<string, Named>;
  bare: Set<string>;
  /** By every folder of theirs that is watched. */
  readonly gits: Map<string, GitFolder>;
  readonly knownHarm: Set<string>;
  /** What was put aside, by its new names: in a folder where every name counts it would be put aside again and again. */
  readonly asides: Set<string>;
  readonly named: NamedFiles;
  /** What settings of git name now. */
  askNamed: () => ReadonlyArray<string>;
  /** Files called `.git` that a command made and that lead to what is looked at. */
  readonly gitFiles: Set<string>;
  readonly own: Set<string>;
  readonly changed: Set<string>;
  readonly refused: Aside[];
  readonly stops: Set<() => void>;
  /** What the host makes at this moment. */
  readonly admitted: Set<string>;
  readonly watches: FolderWatches;
};

export function createState(options: GuardOptions, onChange: (on: State, change: Change) => void): State {
  const on: State = {
    ...options,
    holders: 0,
    isSettling: false,
    settling: undefined,
    count: 0,
    timer: undefined,
    batch: undefined,
    lookedAt: -Infinity,
    folders: new Set(),
    names: new Map(),
    bare: new Set(),
    gits: new Map(),
    knownHarm: new Set(),
    asides: new Set(),
    named: createNamedFiles(),
    askNamed: () => [],
    gitFiles: new Set(),
    own: new Set(),
    changed: new Set(),
    refused: [],
    stops: new Set(),
    admitted: new Set(),
    watches: createFolderWatches((folder, kind, name) => onChange(on, { folder, kind, name })),
  };
  return on;
}
