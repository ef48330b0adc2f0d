import type { RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, failure, requiredText } from './arguments.ts';
import { describeNearMiss } from './near-miss.ts';
import { knownVersion, rememberFile } from './seen-files.ts';

export function createEditFileTool(): RegisteredTool {
  return {
    definition: {
      name: 'edit_file',
      description:
        'Replaces an exact piece of text in a file. old_string must occur exactly once, unless replace_all is true; include enough lines around it.',
      parameters: {
        type: 'object',
        properties: {
          file_path: { type: 'string', description: 'The file to change.' },
          old_string: { type: 'string', description: 'The exact text to replace, without line numbers.' },
          new_string: { type: 'string', description: 'The text to put in its place.' },
          replace_all: { type: 'boolean', description: 'Replace every occurrence.', default: false },
        },
        required: ['file_path', 'old_string', 'new_string'],
        additionalProperties: false,
      },
    },
    executor: editFileExecutor,
    serial: true,
  };
}

export const editFileExecutor: ToolExecutor = answering(async (args, env) => {
  const file = requiredText(args, 'file_path');
  const version = (await env.fileVersion?.(file)) ?? undefined;
  const known = knownVersion(env, file);
  if (known !== undefined && version !== undefined && known !== version) {
    return failure(`${file} changed since it was read: read it again, then repeat the change.`);
  }
  const content = await env.readText(file);
  const edit = planEdit(content, {
    oldText: requiredText(args, 'old_string'),
    newText: requiredText(args, 'new_string'),
    replaceAll: args['replace_all'] === true,
  });
  if (!edit.ok) return failure(`${file} was not changed: ${edit.reason}`);
  await env.writeFile(file, edit.content, version === undefined ? {} : { expectedVersion: version });
  await rememberFile(env, file);
  return confirmation(file, edit);
});

export type EditRequest = { readonly oldText: string; readonly newText: string; readonly replaceAll: boolean };

export type PlannedEdit =
  | {
      readonly ok: true;
      readonly content: string;
      readonly lines: ReadonlyArray<number>;
      readonly oldText: string;
      readonly newText: string;
    }
  | { readonly ok: false; readonly reason: string };

/** Pure: what the file would become, or why not. Bytes outside the replaced text stay as they are; line ends follow the file. */
export function planEdit(content: string, request: EditRequest): PlannedEdit {
  if (request.oldText === '') return refused('old_string is empty; use write_file for a new file.');
  if (request.oldText === request.newText) return refused('old_string and new_string are the same.');
  const { oldText, newText } = withLineEndsOf(content, request);
  const places = occurrences(content, oldText);
  if (places.length === 0) return refused(`old_string was not found. ${describeNearMiss(content, request.oldText)}`);
  const lines = places.map((place) => lineAt(content, place));
  if (places.length > 1 && !request.replaceAll) {
    return refused(
      `old_string occurs ${places.length} times (lines ${lines.slice(0, 10).join(', ')}). Add lines around it to make it unique, or set replace_all.`,
    );
  }
  return { ok: true, content: content.split(oldText).join(newText), lines, oldText, newText };
}

/** Models write \n; in a file of CRLF lines they mean CRLF. */
function withLineEndsOf(content: string, request: EditRequest): EditRequest {
  if (request.oldText.includes('\r') || !content.includes('\r\n')) return request;
  const allCrlf = !/(?<!\r)\n/.test(content);
  if (!allCrlf && content.includes(request.oldText)) return request;
  return { ...request, oldText: withCrlf(request.oldText), newText: withCrlf(request.newText) };
}

function withCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

function occurrences(content: string, wanted: string): ReadonlyArray<number> {
  const places: number[] = [];
  for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function lineAt(content: string, place: number): number {
  let line = 1;
  for (let at = content.indexOf('\n'); at >= 0 && at < place; at = content.indexOf('\n', at + 1)) line++;
  return line;
}

function refused(reason: string): PlannedEdit {
  return { ok: false, reason };
}

function confirmation(file: string, edit: Extract<PlannedEdit, { ok: true }>): string {
  const count = edit.lines.length === 1 ? '1 replacement' : `${edit.lines.length} replacements`;
  const where = edit.lines.length === 1 ? `line ${edit.lines[0]}` : `lines ${edit.lines.slice(0, 20).join(', ')}`;
  return [`Edited ${file}: ${count} at ${where}.`, ...prefixed('-', edit.oldText), ...prefixed('+', edit.newText)].join(
    '\n',
  );
}

function prefixed(mark: string, text: string): ReadonlyArray<string> {
  return text === ''
    ? []
    : text
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
        .map((line) => `${mark}${line}`);
}
