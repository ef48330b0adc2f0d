import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';
import { environmentError, EnvironmentError, isMissing } from '@attractor/system';

import { checkAskedPath } from './path-rules.ts';

/**
 * Where a requested path really leads, resolved link by link and without lexical clean-up. `real` is always inside the root.
 * `folder` is its deepest existing directory; `rest` are the names below it (empty if `real` is that directory).
 */
export type ResolvedPath = {
  readonly real: string;
  readonly relative: string;
  readonly folder: string;
  readonly rest: ReadonlyArray<string>;
  /** Null if nothing exists yet. */
  readonly stats: Stats | null;
};

export type ResolveOptions = {
  /** `link`: the last name is not followed, for removing a link itself. */
  readonly last?: 'target' | 'link';
};

const MAX_LINKS = 40;

/** `root` is canonical. Throws an `EnvironmentError` for a path that leads outside, or nowhere that can be named. */
export function resolveInside(root: string, asked: string, options: ResolveOptions = {}): ResolvedPath {
  checkAskedPath(asked);
  const below = belowRoot(root, asked);
  const walk: Walk = {
    at: below === null ? '/' : root,
    names: namesOf(below ?? asked),
    stats: null,
    links: 0,
    keepLast: options.last === 'link',
  };
  try {
    while (walk.names.length > 0) if (step(walk) === 'missing') return finish(root, walk, asked);
    walk.stats ??= lstatSync(walk.at);
  } catch (error) {
    // What is outside is not described: the answer is the same whether or not something exists there.
    throw isInside(root, walk.at) ? environmentError(error, asked) : outside(root);
  }
  return finish(root, walk, asked);
}

export function isInside(root: string, real: string): boolean {
  return real === root || real.startsWith(root === '/' ? '/' : `${root}/`);
}

/** The root has no links on its way, so what is written below it is looked at from there; null for an absolute path elsewhere. */
function belowRoot(root: string, asked: string): string | null {
  if (!path.isAbsolute(asked)) return asked;
  return asked.startsWith(`${root}/`) ? asked.slice(root.length) : null;
}

type Walk = { at: string; names: string[]; stats: Stats | null; links: number; readonly keepLast: boolean };

function step(walk: Walk): 'on' | 'missing' {
  const name = walk.names[0] ?? '';
  if (name === '..') {
    walk.names.shift();
    walk.at = path.dirname(walk.at);
    walk.stats = null;
    return 'on';
  }
  const next = path.join(walk.at, name);
  const stats = lstatOrNull(next);
  if (stats === null) {
    walk.stats = null;
    return 'missing';
  }
  walk.names.shift();
  if (stats.isSymbolicLink() && !(walk.keepLast && walk.names.length === 0)) return followLink(walk, next);
  if (walk.names.length > 0 && !stats.isDirectory()) {
    throw new EnvironmentError({
      code: 'not_a_directory',
      message: `The path leads through ${name}, which is not a folder.`,
    });
  }
  walk.at = next;
  walk.stats = stats;
  return 'on';
}

function followLink(walk: Walk, link: string): 'on' {
  if (++walk.links > MAX_LINKS) {
    throw new EnvironmentError({ code: 'invalid_path', message: 'The path goes through too many links.' });
  }
  const target = readlinkSync(link);
  if (path.isAbsolute(target)) walk.at = '/';
  walk.names.unshift(...namesOf(target));
  walk.stats = null;
  return 'on';
}

function finish(root: string, walk: Walk, asked: string): ResolvedPath {
  const real = path.join(walk.at, ...walk.names);
  if (!isInside(root, real)) throw outside(root);
  if (walk.names.includes('..')) {
    throw new EnvironmentError({ code: 'not_found', message: `${asked} leads through a folder that does not exist.` });
  }
  if (/\/\.?$/.test(asked) && walk.stats?.isDirectory() !== true) {
    throw new EnvironmentError({ code: 'not_a_directory', message: `${asked} ends in "/" and is not a folder.` });
  }
  const relative = path.relative(root, real);
  if (walk.stats === null || walk.stats.isDirectory()) {
    return { real, relative, folder: walk.at, rest: walk.names, stats: walk.stats };
  }
  return { real, relative, folder: path.dirname(real), rest: [path.basename(real)], stats: walk.stats };
}

function outside(root: string): EnvironmentError {
  return new EnvironmentError({
    code: 'outside',
    message: `The path leads outside the working directory ${root}: only paths inside it can be used.`,
  });
}

function namesOf(text: string): string[] {
  return text.split('/').filter((name) => name !== '' && name !== '.');
}

function lstatOrNull(file: string): Stats | null {
  try {
    // An error is costly to make, and most of what is asked for in vain is just missing.
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
