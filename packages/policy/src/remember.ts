import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Failure, messageOf } from '@attractor/base';
import type { ContentKind } from '@attractor/tool-table';
import { insertIntoList } from './json-insert.ts';
import { parseRule } from './parse-rule.ts';
import { realPathOf } from './real-path.ts';
import { contentKindOf } from './rule-names.ts';
import type { PermissionRule, RuleDestination, RuleScope } from './types.ts';

/**
 * The files for a person's "allow always". `root` is the project's, which the local and project files belong to. `isPassing`: it is gone
 * after the work, so a person's own file takes no rule about a path in it.
 */
export type RuleFiles = { readonly root: string; readonly isPassing?: boolean } & Readonly<
  Partial<Record<Exclude<RuleDestination, 'session'>, string>>
>;

/** Our own; files of other agents are read and never written. */
export function ruleFilesOf({ root, home }: { readonly root: string; readonly home: string }): RuleFiles {
  return {
    root,
    localSettings: path.join(root, '.attractor', 'config.local.json'),
    projectSettings: path.join(root, '.attractor', 'config.json'),
    userSettings: path.join(home, 'config.json'),
  };
}

/** Rules that would let a call run without asking from now on, and the file that they would go to; null: this session only. */
export type RuleSuggestion = {
  readonly rules: ReadonlyArray<string>;
  readonly destination: RuleDestination;
  readonly file: string | null;
};

/** Where a person may keep these rules: for the session, and in each existing file. */
export function suggestionsOf(
  rules: ReadonlyArray<string>,
  files: RuleFiles | undefined,
): ReadonlyArray<RuleSuggestion> {
  if (rules.length === 0) return [];
  const kept = DESTINATIONS.flatMap((destination): ReadonlyArray<RuleSuggestion> => {
    const file = files?.[destination];
    if (file === undefined || files === undefined) return [];
    if (destination === 'userSettings' && files.isPassing === true && rules.some(isAboutPath)) return [];
    const written = destination === 'userSettings' ? rules.map((rule) => fromAnywhere(rule, files.root)) : rules;
    return [{ rules: written, destination, file }];
  });
  return [{ rules, destination: 'session', file: null }, ...kept];
}

const DESTINATIONS = ['localSettings', 'projectSettings', 'userSettings'] as const;

function isAboutPath(rule: string): boolean {
  return ABOUT_PATHS.has(contentKindOf(/^\w+/.exec(rule)?.[0] ?? '')) && rule.includes('(');
}

/** In a person's own file a path from the project's root would start elsewhere. */
function fromAnywhere(rule: string, root: string): string {
  return rule.replace(/^(\w+)\(\/(?!\/)/, (all, tool: string) =>
    ABOUT_PATHS.has(contentKindOf(tool)) ? `${tool}(/${root}/` : all,
  );
}

const ABOUT_PATHS: ReadonlySet<ContentKind> = new Set<ContentKind>(['read', 'edit', 'folder']);

export type Remembering = {
  readonly rules: ReadonlyArray<string>;
  readonly destination: RuleDestination;
  readonly files: RuleFiles | undefined;
  /** What a path that begins with one slash is relative to in a rule of this session. */
  readonly root: string;
};

export type Remembered =
  | { readonly ok: true; readonly rules: ReadonlyArray<PermissionRule>; readonly file: string | null }
  | { readonly ok: false; readonly error: Failure };

/**
 * Writes allow rules where a person wants them, and nothing else into that file. A file that can't be edited safely stays as it is;
 * concurrent writers take turns.
 */
export async function rememberRules({ rules, destination, files, root }: Remembering): Promise<Remembered> {
  const file = destination === 'session' ? null : (files?.[destination] ?? null);
  if (file === null && destination !== 'session') return failed('no_file', `There is no file for ${destination} here.`);
  const origin = {
    scope: SCOPES[destination],
    file,
    line: null,
    root: destination === 'userSettings' && file !== null ? path.dirname(file) : root,
  };
  const parsed: PermissionRule[] = [];
  for (const text of rules) {
    const one = parseRule(text, 'allow', origin);
    if (!one.ok) return { ok: false, error: one.error };
    parsed.push(one.rule);
  }
  const texts = parsed.map(({ text }) => text);
  const problem = file === null ? null : await addToFile(file, texts, destination);
  return problem ?? { ok: true, rules: parsed, file };
}

const SCOPES: Readonly<Record<RuleDestination, RuleScope>> = {
  session: 'session',
  localSettings: 'local',
  projectSettings: 'project',
  userSettings: 'user',
};

const ALLOWED = ['permissions', 'allow'];

async function addToFile(
  named: string,
  rules: ReadonlyArray<string>,
  destination: RuleDestination,
): Promise<Remembered | null> {
  const file = realPathOf(named);
  if (file === null) return failed('unreadable', `${named} can't be reached: add the rule by hand.`);
  // A repository could make its file a link to a person's own.
  const plain = path.join(
    realPathOf(path.dirname(path.dirname(named))) ?? '',
    path.basename(path.dirname(named)),
    path.basename(named),
  );
  if (destination !== 'userSettings' && file !== plain)
    return failed('link', `${named} is a link: nothing is written through it.`);
  // Needed for a person's answer only, and node:crypto with it.
  const { lockFiles } = await import('@attractor/system/file-lock');
  try {
    const lock = await lockFiles([file]);
    try {
      return add(file, rules)
        ? null
        : failed('unreadable', `${named} is not JSON that a rule can be added to: add it by hand.`);
    } finally {
      lock.release();
    }
  } catch (error) {
    return failed('unwritable', `${named} can't be written: ${messageOf(error)}`);
  }
}

/** False if no rule can be added to the file. */
function add(file: string, rules: ReadonlyArray<string>): boolean {
  const before = textOf(file);
  const missing = rules.filter((rule) => !holds(before, rule));
  if (missing.length === 0) return true;
  const after = insertIntoList(before ?? '{}\n', ALLOWED, missing);
  if (after === null) return false;
  replace(file, after);
  return true;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function holds(text: string | null, rule: string): boolean {
  try {
    const value = JSON.parse(text ?? '{}') as { readonly permissions?: { readonly allow?: unknown } };
    const allow = value.permissions?.allow;
    return Array.isArray(allow) && allow.includes(rule);
  } catch {
    return false;
  }
}

/** Atomic, with the file's own mode; a new one is private to its owner. */
function replace(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const next = `${file}.${process.pid}.new`;
  try {
    writeFileSync(next, text, { mode: modeOf(file), flag: 'wx' });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

function modeOf(file: string): number {
  try {
    return lstatSync(file).mode & 0o777;
  } catch {
    return 0o600;
  }
}

function failed(code: string, message: string): Remembered {
  return { ok: false, error: { code, message, retryable: false } };
}
