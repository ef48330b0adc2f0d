import type { ParsedScript, SyntaxNode } from 'unbash';
import { sharedBindings, type Bindings } from './bindings.ts';
import type { Draft } from './draft.ts';
import type { PathContext } from './paths.ts';
import type { PipedNames, Scope } from './words.ts';

/** The state of the reader at a place in a script. A shell that starts another gives it a copy: nothing comes back. */
export type State = {
  /** Every folder that the next command may run in; none: unknown. */
  readonly cwds: ReadonlyArray<string>;
  readonly moved: boolean;
  /** Where `popd` leads back to, one after the other; null: unknown. */
  readonly stack: ReadonlyArray<ReadonlyArray<string>> | null;
  /** A pipe or a redirection provides its input. */
  readonly fed: boolean;
  /** The files whose names come through that pipe, where they are known. */
  readonly piped: PipedNames | null;
  readonly bindings: Bindings;
  /** How many `for` loops surround it. */
  readonly loops: number;
  /** What runs this, if another part does: `bash -c`, `xargs`. Such parts are only checked for what must be denied. */
  readonly via: string | null;
  readonly depth: number;
};

/** The shell's state after a command: `ok` if it succeeds, `bad` if it does not. */
export type Outcome = { readonly ok: State; readonly bad: State };

/** What is collected on the way. `source` is the text that positions refer to. */
export type Walk = {
  readonly source: string;
  readonly pathContext: PathContext;
  readonly drafts: Draft[];
  readonly problems: { readonly reason: string; readonly part: string }[];
  /** `carriers`: names of files and variables that contain a secret; `fetched`: paths of what came from the network. */
  readonly seen: {
    commands: number;
    secretStored: boolean;
    readonly carriers: string[];
    readonly fetched: Set<string>;
  };
  /** How to descend into what a command contains: a script given as text, and the expansions of a word. */
  readonly into: {
    readonly script: (script: ParsedScript, state: State, walk: Walk) => void;
    readonly expansions: (node: SyntaxNode, state: State, walk: Walk) => boolean;
  };
};

/** Beyond this a command is only checked for what must be denied. */
export const MOST_PARTS = 50;
export const DEEPEST = 12;
const MOST_CWDS = 4;

export function stay(state: State): Outcome {
  return { ok: state, bad: state };
}

/** Either could have happened. */
export function either(left: State, right: State): State {
  if (left === right) return left;
  const bindings = sharedBindings(left.bindings, right.bindings);
  const isSameStack = left.stack === right.stack || JSON.stringify(left.stack) === JSON.stringify(right.stack);
  const stack = isSameStack ? left.stack : null;
  if (same(left.cwds, right.cwds)) return { ...left, bindings, stack, moved: left.moved || right.moved };
  const known = left.cwds.length > 0 && right.cwds.length > 0;
  const cwds = known ? [...new Set([...left.cwds, ...right.cwds])] : [];
  return { ...left, bindings, stack, moved: left.moved || right.moved, cwds: cwds.length > MOST_CWDS ? [] : cwds };
}

export function same(left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean {
  return left.length === right.length && left.every((path, at) => path === right[at]);
}

export function scopeOf(state: State, walk: Walk): Scope {
  const { cwds, bindings } = state;
  return { home: walk.pathContext.home, cwd: cwds.length === 1 ? (cwds[0] ?? null) : null, bindings };
}

/** The source of a node, short enough to show. */
export function excerpt(walk: Walk, node: { readonly pos: number; readonly end: number }): string {
  const end = Math.min(node.end, node.pos + MOST_SHOWN);
  return walk.source.slice(node.pos, end) + (end < node.end ? '…' : '');
}

const MOST_SHOWN = 2_000;
