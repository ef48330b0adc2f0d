import { defined } from '@attractor/base';
import type { RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, failure, optionalNumber, requiredText } from './arguments.ts';
import { planEdit, type PlannedEdit } from '@attractor/patch';
import { knownVersion, rememberWritten } from './seen-files.ts';

export type EditFileToolOptions = {
  /** How a call says that it means several places: any number of them, or an exact number. */
  readonly several?: 'replace_all' | 'expected_replacements';
};

const SEVERAL = {
  replace_all: {
    rule: 'unless replace_all is true',
    schema: { type: 'boolean', description: 'Replace every occurrence.', default: false },
  },
  expected_replacements: {
    rule: 'unless expected_replacements says how often',
    schema: { type: 'integer', minimum: 1, description: 'How often old_string occurs; all are replaced.', default: 1 },
  },
} as const;

/** `edit_file`: replaces a text that occurs once (or as often as stated). It never guesses between two places. */
export function createEditFileTool({ several = 'replace_all' }: EditFileToolOptions = {}): RegisteredTool {
  return {
    definition: {
      name: 'edit_file',
      description: `Replaces an exact piece of text in a file. old_string must occur exactly once, ${SEVERAL[several].rule}; include enough lines around it.`,
      parameters: {
        type: 'object',
        properties: {
          file_path: { type: 'string', description: 'The file to change.' },
          old_string: { type: 'string', description: 'The exact text to replace, without line numbers.' },
          new_string: { type: 'string', description: 'The text to put in its place.' },
          [several]: SEVERAL[several].schema,
        },
        required: ['file_path', 'old_string', 'new_string'],
        additionalProperties: false,
      },
    },
    executor: editFileExecutor,
    serial: true,
  };
}

/** The version is taken before the text, so any later write is noticed when the file is replaced, and the edit is refused. */
export const editFileExecutor: ToolExecutor = answering(async (args, env, context) => {
  const file = requiredText(args, 'file_path');
  const version = (await env.fileVersion?.(file)) ?? undefined;
  const known = knownVersion(env, file);
  if (known !== undefined && version !== undefined && known !== version) {
    return failure(`${file} changed since it was read: read it again, then repeat the change.`);
  }
  const edit = planEdit(await env.readText(file), {
    oldText: requiredText(args, 'old_string'),
    newText: requiredText(args, 'new_string'),
    count: args['replace_all'] === true ? 'all' : (optionalNumber(args, 'expected_replacements') ?? 1),
  });
  if (!edit.ok) return failure(`${file} was not changed: ${edit.reason}`);
  await env.writeFile(file, edit.content, {
    ...defined({ expectedVersion: version, signal: context?.signal }),
  });
  const warning = await rememberWritten(env, file, edit.content);
  return confirmation(file, edit) + warning;
});

function confirmation(file: string, edit: Extract<PlannedEdit, { ok: true }>): string {
  const count = edit.lines.length === 1 ? '1 replacement' : `${edit.lines.length} replacements`;
  const where = edit.lines.length === 1 ? `line ${edit.lines[0]}` : `lines ${edit.lines.slice(0, 20).join(', ')}`;
  const note = edit.overlooked === null ? '' : ` old_string was found not counting differences in ${edit.overlooked}.`;
  const head = `Edited ${file}: ${count} at ${where}.${note}`;
  return [head, ...prefixed('-', edit.oldText), ...prefixed('+', edit.newText)].join('\n');
}

function prefixed(mark: string, text: string): ReadonlyArray<string> {
  return text === ''
    ? []
    : text
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
        .map((line) => `${mark}${line}`);
}
