import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { defined, messageOf } from '@attractor/base';
import type { SessionSummary } from '@attractor/journal';
import { CommandFailure, EXIT, readStdin, drained, stopIfUnread, putStyled } from '@attractor/console';
import { homeFolder } from '../settings.ts';
import { claudeTranscript } from './claude-transcript.ts';
import { findSession, orFail, sessionsOfHome } from './found.ts';
import { hitLine, sessionLine, turnText } from './print.ts';

type Json = { readonly json?: boolean };
type ListFlags = Json & { readonly here?: boolean; readonly limit: number };

export async function list(flags: ListFlags): Promise<number> {
  const found = sessionsOfHome().list({ limit: flags.limit + 1, ...(flags.here === true && { cwd: process.cwd() }) });
  const sessions = found.slice(0, flags.limit);
  for (const session of sessions) await say(flags.json === true ? jsonLine(session) : sessionLine(session));
  if (sessions.length === 0 && flags.json !== true)
    putStyled(process.stderr, 'No sessions yet: start one with `attractor -p "…"`.\n');
  if (found.length > sessions.length) tellMore(flags.limit);
  return EXIT.done;
}

export async function search(text: string, flags: ListFlags): Promise<number> {
  if (text === '') throw new CommandFailure('give a text to look for.', EXIT.usage);
  let hits = 0;
  for (const hit of sessionsOfHome().search(text, flags.here === true ? { cwd: process.cwd() } : {})) {
    const { session, ...rest } = hit;
    await say(flags.json === true ? jsonLine({ id: session.id, title: session.title, ...rest }) : hitLine(hit));
    if (++hits >= flags.limit) {
      tellMore(flags.limit);
      break;
    }
  }
  return EXIT.done;
}

/** On stderr: whoever reads the list gets only the list. */
function tellMore(shown: number): void {
  putStyled(process.stderr, `attractor: there may be more: --limit ${shown * 2}\n`);
}

export async function show(
  id: string,
  flags: Json & { readonly turn?: number; readonly full?: boolean },
): Promise<number> {
  const sessions = sessionsOfHome();
  const session = findSession(sessions, id);
  if (flags.turn === undefined) await say(flags.json === true ? jsonLine(session) : headOf(session));
  let shown = 0;
  for (const entry of sessions.turns(session.id)) {
    if (flags.turn !== undefined && entry.turn !== flags.turn) continue;
    shown++;
    await say(flags.json === true ? jsonLine(entry) : turnText(entry, { full: flags.full === true }));
  }
  if (flags.turn !== undefined && shown === 0)
    throw new CommandFailure(`there is no turn ${flags.turn}: the session has ${session.turns}.`, EXIT.notFound);
  return EXIT.done;
}

function headOf(session: SessionSummary): string {
  const from = session.forkedFrom;
  return `${sessionLine(session)}${from === null ? '' : `  forked from ${from.sessionId} at turn ${from.turn}\n`}`;
}

type ForkFlags = Json & { readonly turn?: number; readonly at?: string; readonly sessionId?: string };

export async function fork(id: string, { at, sessionId, ...flags }: ForkFlags): Promise<number> {
  if (at !== undefined && flags.turn !== undefined)
    throw new CommandFailure('--turn and --at both say what to keep: give one of them.', EXIT.usage);
  const sessions = sessionsOfHome();
  const turn = at === undefined ? flags.turn : orFail(sessions.namedTurn(orFail(sessions.find(id)).id, { uuid: at }));
  const forked = orFail(sessions.fork(id, defined({ turn, sessionId })));
  await say(flags.json === true ? jsonLine(forked) : `${forked.id}\n`);
  return EXIT.done;
}

type ExportFlags = { readonly output?: string; readonly as?: 'claude' };

export async function exportSession(id: string, { output, as }: ExportFlags): Promise<number> {
  const sessions = sessionsOfHome();
  const lines =
    as === undefined
      ? orFail(sessions.export(id))
      : claudeTranscript(homeFolder(process.env), findSession(sessions, id)).map(jsonLine);
  if (output === undefined) for (const line of lines) await say(line);
  else writeLines(output, lines);
  return EXIT.done;
}

export async function rename(id: string, { title, json }: Json & { readonly title: string }): Promise<number> {
  if (title.trim() === '') throw new CommandFailure('give a title.', EXIT.usage);
  const renamed = orFail(sessionsOfHome().rename(id, title));
  await say(json === true ? jsonLine(renamed) : `Renamed ${renamed.id}.\n`);
  return EXIT.done;
}

/** Private, and never over an existing file. */
function writeLines(file: string, lines: Iterable<string>): void {
  let fd: number;
  try {
    fd = openSync(file, 'wx', 0o600);
  } catch (error) {
    throw new CommandFailure(`can't write ${file}: ${messageOf(error)}. Choose another name.`, EXIT.refused);
  }
  try {
    for (const line of lines)
      for (let rest = Buffer.from(line); rest.length > 0;) rest = rest.subarray(writeSync(fd, rest));
  } finally {
    closeSync(fd);
  }
}

export async function importSession(file: string, flags: Json): Promise<number> {
  const text = file === '-' ? await readStdin() : readGiven(file);
  const imported = orFail(sessionsOfHome().import(text.split('\n')));
  await say(flags.json === true ? jsonLine(imported) : `${imported.id}\n`);
  return EXIT.done;
}

function readGiven(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(`can't read ${file}: ${messageOf(error)}.`, EXIT.notFound);
  }
}

export async function remove(id: string, flags: Json & { readonly forever?: boolean }): Promise<number> {
  const deleted = orFail(sessionsOfHome().delete(id, { forever: flags.forever === true }));
  const where = deleted.trash === null ? '' : ` It can be found for 30 days in ${deleted.trash}.`;
  await say(flags.json === true ? jsonLine(deleted) : `Deleted ${deleted.id}.${where}\n`);
  return EXIT.done;
}

export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Waits while the reader is slower than we are; a reader that stops early (`| head`) ends the command without an error. */
export async function say(text: string): Promise<void> {
  stopIfUnread(process.stdout);
  if (!putStyled(process.stdout, text)) await drained(process.stdout);
}
