import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isRecord } from '@attractor/base';
import type { Mirror } from '@attractor/headless';

type Env = Readonly<Record<string, string | undefined>>;

/** Where transcripts of Claude Code are looked for: of this folder, or anywhere. */
export type TranscriptPlace = { readonly env: Env; readonly cwd: string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The transcript of a session, which programs of the Agent SDK lay down to have it continued; null: there is none. */
export function transcriptOf(id: string, { env, cwd }: TranscriptPlace): string | null {
  if (!UUID.test(id)) return null;
  const top = projectsFolder(env);
  const folders = [folderKey({ env, cwd }), ...namesIn(top)];
  return folders.map((folder) => path.join(top, folder, `${id}.jsonl`)).find((file) => isOwn(file, top)) ?? null;
}

/** The id of the newest transcript of the folder; null: there is none. */
export function newestTranscript({ env, cwd }: TranscriptPlace): string | null {
  const top = projectsFolder(env);
  const folder = path.join(top, folderKey({ env, cwd }));
  const found = namesIn(folder)
    .map((name) => ({ id: name.replace(/\.jsonl$/, ''), file: path.join(folder, name) }))
    .filter(({ id, file }) => UUID.test(id) && file.endsWith('.jsonl') && isOwn(file, top))
    .map(({ id, file }) => ({ id, time: statSync(file).mtimeMs }))
    .toSorted((a, b) => b.time - a.time);
  return found[0]?.id ?? null;
}

/** The copy that a program of the Agent SDK keeps: it has what it laid down. */
export function mirrorAt(place: TranscriptPlace): Mirror {
  const folder = path.join(projectsFolder(place.env), folderKey(place));
  return {
    fileOf: (id) => transcriptOf(id, place) ?? path.join(folder, `${id}.jsonl`),
    namesIn: (id) => new Set(namesOf(transcriptOf(id, place))),
  };
}

/** The uuids of what was said, in the order of the file; none if it can't be read. */
export function namesOf(file: string | null): ReadonlyArray<string> {
  try {
    if (file === null || statSync(file).size > MAX_BYTES) return [];
    return readFileSync(file, 'utf8').split('\n').flatMap(nameIn);
  } catch {
    return [];
  }
}

/** As for transcripts that are imported. */
const MAX_BYTES = 512 << 20;

function nameIn(line: string): ReadonlyArray<string> {
  try {
    const entry: unknown = JSON.parse(line);
    if (!isRecord(entry) || entry['isSidechain'] === true) return [];
    const { type, uuid } = entry;
    return (type === 'user' || type === 'assistant') && typeof uuid === 'string' ? [uuid] : [];
  } catch {
    return [];
  }
}

function projectsFolder(env: Env): string {
  const given = env['CLAUDE_CONFIG_DIR'] ?? '';
  return path.join(given === '' ? path.join(env['HOME'] ?? homedir(), '.claude') : given, 'projects');
}

const FOLDER_NAME = /^(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$)[A-Za-z0-9_-]{1,64}$/i;

const LONGEST = 200;

/** How Claude Code calls the folder of a project. */
function folderKey({ env, cwd }: TranscriptPlace): string {
  const given = env['CLAUDE_CODE_PROJECT_DIR_NAME'] ?? '';
  if ((env['CLAUDE_CONFIG_DIR'] ?? '') !== '' && FOLDER_NAME.test(given)) return given;
  const whole = realpathSync(cwd).normalize('NFC');
  const key = whole.replaceAll(/[^a-zA-Z0-9]/g, '-');
  if (key.length <= LONGEST) return key;
  let hash = 0;
  for (let at = 0; at < whole.length; at += 1) hash = (Math.imul(hash, 31) + whole.charCodeAt(at)) | 0;
  return `${key.slice(0, LONGEST)}-${Math.abs(hash).toString(36)}`;
}

function namesIn(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A file that is where its path says: a link could lead to anything. */
function isOwn(file: string, top: string): boolean {
  try {
    return lstatSync(file).isFile() && realpathSync(file) === path.join(realpathSync(top), path.relative(top, file));
  } catch {
    return false;
  }
}
