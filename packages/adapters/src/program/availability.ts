import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '@attractor/base';
import type { ForeignDefinition } from './foreign-definition.ts';
import { findProgram } from './find-program.ts';
import type { HostVariables } from './passed-on.ts';

/** What a program is, where it comes from, and how a person logs in to it. */
export type ProgramFacts = {
  readonly name: string;
  /** How a person gets it, as a sentence. */
  readonly install: string;
  /** Older ones speak another language. */
  readonly atLeast?: string;
  /** Variables with a key; any of them is a login. Empty: it needs none. */
  readonly keys: ReadonlyArray<string>;
  /** Files of the person's home in which a login is kept. */
  readonly loginFiles: ReadonlyArray<string>;
  readonly logIn: string;
};

export type Availability = { readonly available: true } | { readonly available: false; readonly reason: string };

type Asked = {
  readonly file: string;
  readonly facts: ProgramFacts;
  readonly definition: ForeignDefinition;
  readonly type: string;
  /** The "type" of its definition. */
  readonly kind: string;
  readonly env: HostVariables;
};

/** Whether a program could start now, or why not and what to do. Starts nothing. */
export async function availabilityOf({ file, ...asked }: Asked): Promise<Availability> {
  const { facts } = asked;
  const { file: found, searched, unusable } = await findProgram(file, asked.env);
  if (unusable !== null)
    return no(`${unusable} is not a program that you may run. Make it executable (chmod +x), or install it again.`);
  if (found === null) {
    const where = searched.length === 0 ? 'PATH is empty' : `searched: ${searched.join(', ')}`;
    return no(`${facts.name} is not found (${where}). ${facts.install}`);
  }
  const version = packagedVersion(found);
  if (version !== null && facts.atLeast !== undefined && isOlder(version, facts.atLeast))
    return no(`${found} is version ${version}, and at least ${facts.atLeast} is needed. ${facts.install}`);
  const login = loginProblem(asked);
  if (login === null) return { available: true };
  return no(`${facts.name}${version === null ? '' : ` ${version}`} is installed at ${found}, but ${login}`);
}

function no(reason: string): Availability {
  return { available: false, reason };
}

function loginProblem({ facts, definition, type, kind, env }: Omit<Asked, 'file'>): string | null {
  const { keys, loginFiles, logIn } = facts;
  if (keys.length === 0 && loginFiles.length === 0) return null;
  const given = definition.env.filter((name) => (env[name] ?? '') !== '');
  // A key under another name, such as that of another service, is the person's own choice.
  if (given.length > 0) return null;
  const home = env['HOME'] ?? '';
  if (definition.useMyLogin)
    return loginFiles.some((name) => existsSync(path.join(home, name))) ? null : `you are not logged in: ${logIn}`;
  const named =
    definition.env.length > 0 ? `none of ${definition.env.join(', ')} is set` : 'it may use no login of yours';
  const [key] = keys;
  const byKey = key === undefined ? '' : `"env": ["${key}"], or `;
  return `${named}: give agents.${type} in config.json "type": "${kind}" and ${byKey}"useMyLogin": true${keys.length === 0 ? '' : ` (${logIn})`}`;
}

/** The version of the npm package that a program belongs to; null if it belongs to none. */
function packagedVersion(file: string): string | null {
  let folder = path.dirname(realOr(file));
  for (let depth = 0; depth < 4; depth += 1) {
    const version = versionIn(path.join(folder, 'package.json'));
    if (version !== null) return version;
    folder = path.dirname(folder);
  }
  return null;
}

function versionIn(file: string): string | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(parsed) && typeof parsed['version'] === 'string' ? parsed['version'] : null;
  } catch {
    return null;
  }
}

function realOr(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** By their numbers; what is no number counts as 0. */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0));
  for (const [index, wanted] of (b ?? []).entries()) {
    const has = a?.[index] ?? 0;
    if (has !== wanted) return has < wanted;
  }
  return false;
}
