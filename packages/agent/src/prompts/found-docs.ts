import { lstatSync } from 'node:fs';
import path from 'node:path';
import { decodedText, defined } from '@attractor/base';
import {
  type DocImport,
  importsOf,
  type SettingProblem,
  type SettingScope,
  withoutComments,
} from '@attractor/settings';
import { EnvironmentError } from '@attractor/system';
import type { ExecutionEnvironment, LoadedDocument } from '../types/index.ts';

/** A document for the agent. `paths`: it applies only to work on files that match one of them; null: always. */
export type Doc = {
  readonly file: string;
  readonly text: string;
  readonly paths: ReadonlyArray<string> | null;
  /** The document that imports it. */
  readonly parent?: string;
};

/** A document as hooks are told of it. */
export function loadedDocument({ file, paths, parent }: Doc): LoadedDocument {
  return { file, scope: 'project', ...(paths === null ? {} : { globs: paths }), ...defined({ parent }) };
}

/** Reads each document once, followed by what it imports. Problems on the way are listed in `problems`. */
export type DocReader = {
  readonly environment: ExecutionEnvironment;
  readonly scope: SettingScope;
  readonly told: Set<string>;
  readonly problems: SettingProblem[];
};

const ALWAYS = 'AGENTS.md';
/** Replaces AGENTS.md of the same folder: a person's own version, usually not committed. */
const INSTEAD = 'AGENTS.override.md';
const CLAUDE = 'CLAUDE.md';

/** The documents of one folder, in the order in which the agent gets them. A file that only repeats its neighbour is left out. */
export async function docsOfFolder(
  reader: DocReader,
  folder: string,
  fileNames: ReadonlyArray<string>,
): Promise<ReadonlyArray<Doc>> {
  const docs: Doc[] = [...((await firstDoc(reader, folder, [INSTEAD, ALWAYS])) ?? [])];
  for (const name of fileNames.filter((other) => other !== ALWAYS)) {
    if (name !== CLAUDE) docs.push(...(await readDoc(reader, path.join(folder, name), importing(name))));
    else docs.push(...(await claudeDocs(reader, folder)));
  }
  return withoutRepeats(docs);
}

async function claudeDocs(reader: DocReader, folder: string): Promise<ReadonlyArray<Doc>> {
  return [
    ...(await readDoc(reader, path.join(folder, CLAUDE))),
    ...(await readDoc(reader, path.join(folder, '.claude', CLAUDE))),
    ...(await readDoc(reader, path.join(folder, 'CLAUDE.local.md'), CLAUDE_FORM)),
    ...(await rulesOf(reader, path.join(folder, '.claude', 'rules'))),
  ];
}

type Form = { readonly imports: boolean; readonly comments: 'stay' | 'go'; readonly head: boolean };

const CLAUDE_FORM: Form = { imports: true, comments: 'go', head: false };
const RULE_FORM: Form = { imports: true, comments: 'go', head: true };
const PLAIN_FORM: Form = { imports: false, comments: 'stay', head: false };

function importing(name: string): Form {
  if (name.endsWith(CLAUDE)) return CLAUDE_FORM;
  return name.endsWith('GEMINI.md') ? { ...PLAIN_FORM, imports: true } : PLAIN_FORM;
}

async function firstDoc(
  reader: DocReader,
  folder: string,
  names: ReadonlyArray<string>,
): Promise<ReadonlyArray<Doc> | null> {
  for (const name of names) {
    const docs = await readDoc(reader, path.join(folder, name), importing(name));
    if (docs.length > 0) return docs;
  }
  return null;
}

/** Every file of rules below a folder, in the order of their names. */
export async function rulesOf(reader: DocReader, folder: string, names = '**/*.md'): Promise<ReadonlyArray<Doc>> {
  const found = await reader.environment.glob(names, folder).catch((): ReadonlyArray<string> => []);
  const top = reader.environment.workingDirectory();
  const docs: Doc[] = [];
  for (const file of found) docs.push(...(await readDoc(reader, path.join(top, file), RULE_FORM)));
  return docs;
}

/** A document and its imports. A document that is missing, empty, not text, outside the root or already read gives nothing. */
export async function readDoc(reader: DocReader, file: string, form: Form = CLAUDE_FORM): Promise<ReadonlyArray<Doc>> {
  return withImports(reader, { file, form, above: [] });
}

type Wanted = { readonly file: string; readonly form: Form; readonly above: ReadonlyArray<string> };

async function withImports(reader: DocReader, { file, form, above }: Wanted): Promise<ReadonlyArray<Doc>> {
  if (reader.told.has(file)) return [];
  const whole = await textOf(reader, file, (why) => {
    if (above.length === 0) tell(reader, { file, line: null }, why);
  });
  if (whole === null) return [];
  reader.told.add(file);
  const { text, paths } = await shaped(reader, { file, text: whole, form });
  const docs: Doc[] = text === '' ? [] : [{ file, text, paths, ...defined({ parent: above.at(-1) }) }];
  for (const one of form.imports ? importsOf(text) : []) {
    const next = resolveImport(reader, one, { file, above });
    if (next === null) continue;
    const inner = await withImports(reader, { file: next, form: { ...form, head: false }, above: [...above, file] });
    const isMissing = inner.length === 0 && !reader.told.has(next);
    if (isMissing && next.endsWith('.md'))
      tell(reader, { file, line: one.line }, `imports ${next}, which can't be read`);
    docs.push(...inner.map((doc) => ({ ...doc, paths: doc.paths ?? paths })));
  }
  return docs;
}

/** Most are missing, which is asked for sooner than a failure is made. */
async function textOf(
  { environment }: DocReader,
  file: string,
  onUnread: (why: string) => void,
): Promise<string | null> {
  if (!(await environment.fileExists(file))) {
    if (isLink(file)) onUnread('is a link that leads out of the repository, or nowhere: it is not read');
    return null;
  }
  try {
    return (await environment.readText(file)).replace(/^\ufeff/, '').trim() || null;
  } catch (error) {
    const code = error instanceof EnvironmentError ? error.code : 'failed';
    const bytes = code === 'binary' ? await environment.readBytes(file).catch(() => null) : null;
    if (bytes !== null && (bytes[0] === 0xff || bytes[0] === 0xfe)) return decodedText(bytes).trim() || null;
    const why = Object.hasOwn(UNREAD, code) ? UNREAD[code] : undefined;
    if (why !== undefined) onUnread(`${why}: it is not read`);
    return null;
  }
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

const UNREAD: Readonly<Record<string, string>> = {
  binary: 'is not a text in UTF-8 or UTF-16',
  too_large: 'is too large',
  outside: 'leads out of the repository',
  permission: 'may not be read',
};

type Read = { readonly file: string; readonly text: string; readonly form: Form };

/** The front matter parser is loaded only if there are rules: most projects have none. */
async function shaped(reader: DocReader, { file, text, form }: Read): Promise<Pick<Doc, 'text' | 'paths'>> {
  const head = form.head
    ? (await import('@attractor/settings/frontmatter')).readFrontmatter(withQuotedStars(text))
    : null;
  if (head !== null && !head.ok) tell(reader, { file, line: head.line }, head.message);
  const body = head?.ok === true ? head.body : text;
  const fields = head?.ok === true && head.fields.get('alwaysApply')?.value !== true ? head.fields : undefined;
  const field = fields?.get('paths') ?? fields?.get('globs') ?? fields?.get('applyTo');
  const given = field === undefined || isNothing(field.value) ? null : pathsOf(field.value);
  if (field !== undefined && given === null && !isNothing(field.value))
    tell(reader, { file, line: field.line }, '"paths" must be a list of patterns');
  return { text: (form.comments === 'go' ? withoutComments(body) : body).trim(), paths: given };
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** `globs: *.ts`, as Cursor writes it, is no YAML. */
function withQuotedStars(text: string): string {
  return text.replace(
    /^(globs|applyTo):[ \t]*(\*[^\n"']*?)[ \t]*$/m,
    (_line, key: string, globs: string) => `${key}: "${globs}"`,
  );
}

function pathsOf(value: unknown): ReadonlyArray<string> | null {
  if (typeof value === 'string')
    return value
      .split(/,(?![^{]*\})/)
      .map((part) => part.trim())
      .filter(Boolean);
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null;
}

const MAX_HOPS = 4;

function resolveImport(reader: DocReader, one: DocImport, from: Omit<Wanted, 'form'>): string | null {
  const { file, above } = from;
  const top = reader.environment.workingDirectory();
  const home = reader.scope === 'user' ? top : null;
  if (one.path.startsWith('~/') && home === null) return refuse(reader, { file, line: one.line }, one.path);
  const next = one.path.startsWith('~/')
    ? path.join(top, one.path.slice(2))
    : path.resolve(path.dirname(file), one.path);
  const isInside = next.startsWith(top === '/' ? '/' : `${top}/`);
  if (!isInside) return /[/.]/.test(one.path) ? refuse(reader, { file, line: one.line }, one.path) : null;
  const way = [...above, file];
  if (way.includes(next)) {
    const names = [...way.slice(way.indexOf(next)), next].map((name) => path.relative(top, name));
    tell(reader, { file, line: one.line }, `imports in a circle: ${names.join(' → ')}`);
    return null;
  }
  if (way.length > MAX_HOPS) {
    tell(
      reader,
      { file, line: one.line },
      `imports ${one.path}, the fifth file in a row: at most ${MAX_HOPS} are followed`,
    );
    return null;
  }
  return next;
}

function refuse(reader: DocReader, at: At, written: string): null {
  if (written.endsWith('.md')) tell(reader, at, `imports ${written}, which is outside and is not read`);
  return null;
}

type At = { readonly file: string; readonly line: number | null };

function tell({ problems, scope }: DocReader, { file, line }: At, message: string): void {
  const agent = path.basename(file) === 'GEMINI.md' ? 'gemini' : 'claude-code';
  problems.push({ origin: { scope, agent, file, line, name: null }, message, failsClosed: false });
}

/** One file is often a symlink to the other, or a copy of it. */
export function withoutRepeats(docs: ReadonlyArray<Doc>): ReadonlyArray<Doc> {
  const texts = new Set<string>();
  return docs.filter(({ text }) => !texts.has(text) && texts.add(text));
}
