import path from 'node:path';
import { done, failed, type Result } from '@attractor/base';
import type { Failure } from '../failure.ts';
import type { AgentSpec } from './agent-spec.ts';
import { readHead } from './read-head.ts';

/*
 * file   = [ "---" yaml "---" ] [ "# " title ] prompt [ "## " … ]
 *
 * With a title, the prompt is the text up to the first "##" heading, and the rest is instructions.
 * A file with a head and no title was written for another tool: its whole body is the prompt.
 * Headings inside fenced code are text.
 */

export type SpecFailure = Failure<'invalid_spec' | 'not_found'>;

export type SpecSource = { readonly path: string; readonly text: string };

const FENCE = /^ {0,3}(```+|~~~+)/;
const TITLE = /^#[ \t]+(.*?)[ \t#]*$/;
const SECTION = /^##(?:[ \t]|$)/;

/** Reads an agent from markdown. Failures name the file, the line and what is expected there. */
export function parseSpec({ path: file, text }: SpecSource): Result<AgentSpec, SpecFailure> {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const head = readHead(file, lines);
  if (!head.ok) return head;
  const { fields, bodyAt } = head.value;
  const found = headings(lines, bodyAt);
  if (found.title === null && fields === null)
    return invalid(file, firstTextLine(lines, bodyAt), 'expected a title such as "# Developer"');
  const isForeign = found.title === null;
  const promptAt = found.title === null ? bodyAt : found.title.at + 1;
  const promptEnd = isForeign ? lines.length : found.section;
  const before = firstTextLine(lines, bodyAt);
  if (found.title !== null && before < found.title.at)
    return invalid(file, before, `expected the title "# ${found.title.text}" before any other text`);
  const systemPrompt = lines.slice(promptAt, promptEnd).join('\n').trim();
  if (systemPrompt === '') return invalid(file, promptAt, emptyPrompt(isForeign));
  const name = fields?.name ?? found.title?.text ?? path.basename(file).replace(/\.md$/i, '');
  if (name === '') return invalid(file, found.title?.at ?? 0, 'expected a name after "#", such as "# Developer"');
  const instructions = lines.slice(promptEnd).join('\n').trim();
  return done({ ...(fields ?? { ignored: [] }), name, systemPrompt, instructions, path: file });
}

function emptyPrompt(isForeign: boolean): string {
  return isForeign
    ? 'expected the system prompt after the head'
    : 'expected the system prompt: text between the title and the first "##"';
}

type Headings = { readonly title: { readonly text: string; readonly at: number } | null; readonly section: number };

/** The first title, and the line where the first section begins: the end of the file if there is none. */
function headings(lines: ReadonlyArray<string>, from: number): Headings {
  let fence: string | null = null;
  let title: Headings['title'] = null;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const mark: string | null = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark !== null && mark[0] === fence[0] && mark.length >= fence.length) fence = null;
    } else if (mark !== null) fence = mark;
    else if (SECTION.test(line)) return { title, section: at };
    else if (title === null) title = titleOf(line, at);
  }
  return { title, section: lines.length };
}

function titleOf(line: string, at: number): Headings['title'] {
  const text = TITLE.exec(line)?.[1];
  return text === undefined && line.trim() !== '#' ? null : { text: text ?? '', at };
}

/** The number of the first line that is neither empty nor a comment, or of the line after the last. */
function firstTextLine(lines: ReadonlyArray<string>, from: number): number {
  let comment = false;
  for (let at = from; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim();
    comment ||= line.startsWith('<!--');
    if (line !== '' && !comment) return at;
    if (line.endsWith('-->')) comment = false;
  }
  return Math.max(from, lines.length - 1);
}

function invalid(file: string, line: number, expected: string): { readonly ok: false; readonly error: SpecFailure } {
  return failed({ code: 'invalid_spec', message: `${file}:${line + 1}: ${expected}.`, retryable: false });
}
