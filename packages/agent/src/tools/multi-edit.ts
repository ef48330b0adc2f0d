import { defined, isRecord } from '@attractor/base';
import type { RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, failure, requiredText, type Arguments } from './arguments.ts';
import { planEdit } from '@attractor/patch';
import { knownVersion, rememberWritten } from './seen-files.ts';

const EDIT = {
  type: 'object',
  properties: {
    old_string: { type: 'string', description: 'The exact text to replace, as the edits before it left it.' },
    new_string: { type: 'string', description: 'The text to put in its place.' },
    replace_all: { type: 'boolean', description: 'Replace every occurrence.', default: false },
  },
  required: ['old_string', 'new_string'],
  additionalProperties: false,
};

/** `multi_edit`: several replacements in one file, in order, all of them or none. */
export function createMultiEditTool(): RegisteredTool {
  return {
    definition: {
      name: 'multi_edit',
      description:
        'Makes several exact replacements in one file, each on what the one before left. All of them are made or none.',
      parameters: {
        type: 'object',
        properties: {
          file_path: { type: 'string', description: 'The file to change.' },
          edits: { type: 'array', items: EDIT, minItems: 1, description: 'The replacements, in order.' },
        },
        required: ['file_path', 'edits'],
        additionalProperties: false,
      },
    },
    executor: multiEditExecutor,
    serial: true,
  };
}

/** Planned completely before anything is written, and written only if the file is still the one that was read. */
const multiEditExecutor: ToolExecutor = answering(async (args, env, context) => {
  const file = requiredText(args, 'file_path');
  const version = (await env.fileVersion?.(file)) ?? undefined;
  const known = knownVersion(env, file);
  if (known !== undefined && version !== undefined && known !== version) {
    return failure(`${file} changed since it was read: read it again, then repeat the changes.`);
  }
  const edits = editsOf(args);
  const planned = planAll(await env.readText(file), edits);
  if ('problem' in planned) {
    return failure(`${file} was not changed: edit ${planned.at} of ${edits.length}: ${planned.problem}`);
  }
  await env.writeFile(file, planned.content, {
    ...defined({ expectedVersion: version, signal: context?.signal }),
  });
  const warning = await rememberWritten(env, file, planned.content);
  const lines = planned.lines.map(
    (at, index) => `${index + 1}: line${at.length === 1 ? '' : 's'} ${at.slice(0, 20).join(', ')}`,
  );
  return [`Edited ${file}: ${edits.length} edits.`, ...lines].join('\n') + warning;
});

type Edit = { readonly oldText: string; readonly newText: string; readonly count: 1 | 'all' };

function editsOf(args: Arguments): ReadonlyArray<Edit> {
  const edits: ReadonlyArray<unknown> = Array.isArray(args['edits']) ? args['edits'] : [];
  return edits.filter(isRecord).map((edit) => ({
    oldText: requiredText(edit, 'old_string'),
    newText: requiredText(edit, 'new_string'),
    count: edit['replace_all'] === true ? 'all' : 1,
  }));
}

type Planned =
  | { readonly content: string; readonly lines: ReadonlyArray<ReadonlyArray<number>> }
  | { readonly problem: string; readonly at: number };

function planAll(before: string, edits: ReadonlyArray<Edit>): Planned {
  let content = before;
  const lines: ReadonlyArray<number>[] = [];
  for (const [index, edit] of edits.entries()) {
    const planned = planEdit(content, edit);
    if (!planned.ok) return { problem: planned.reason, at: index + 1 };
    content = planned.content;
    lines.push(planned.lines);
  }
  return edits.length === 0 ? { problem: 'there are no edits.', at: 0 } : { content, lines };
}
