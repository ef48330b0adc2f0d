import { defined, isRecord } from '@attractor/base';
import { describeEditProblem, type EditProblem, type EditWords, planEdit } from '@attractor/patch';
import type { ExecutionEnvironment } from '@attractor/agent';
import { optionalCount, requiredText, type Arguments } from './arguments.ts';
import { FileToolError, type FileToolErrorCode } from './failure.ts';

export type FilePatched = { readonly success: true; readonly patches_applied: number };

type Patch = { readonly find: string; readonly replace: string; readonly startLine: number };

/**
 * Applies all patches or none, one after the other, and replaces the file once, if it has not changed since it was read.
 */
export async function patchFile(
  args: Arguments,
  env: ExecutionEnvironment,
  signal: AbortSignal | undefined,
): Promise<FilePatched> {
  const path = requiredText(args, 'path');
  const patches = patchesOf(args['patches']);
  const version = (await env.fileVersion?.(path)) ?? undefined;
  const text = await env.readText(path, defined({ signal }));
  const patched = patches.reduce(
    (current, patch, index) => apply(current, patch, `patches[${index}] of ${path}`),
    text,
  );
  await env.writeFile(path, patched, {
    ...defined({ expectedVersion: version, signal }),
  });
  return { success: true, patches_applied: patches.length };
}

function patchesOf(value: unknown): ReadonlyArray<Patch> {
  const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : [];
  if (items.length === 0) throw new FileToolError('invalid_arguments', 'patches must hold at least one patch.');
  return items.map((item) => {
    const fields = isRecord(item) ? item : {};
    return {
      find: requiredText(fields, 'find'),
      replace: requiredText(fields, 'replace'),
      startLine: optionalCount(fields, 'startLine', 1) ?? 1,
    };
  });
}

function apply(text: string, { find, replace, startLine }: Patch, name: string): string {
  const from = startOfLine(text, startLine, name);
  const head = text.slice(0, from);
  const tail = text.slice(from);
  const planned = planEdit(tail, { oldText: find, newText: replace, count: 1 });
  if (planned.ok) return head + planned.content;
  const meant = startLine > 1 ? firstLineMatch(tail, find) : null;
  if (meant !== null) return head + tail.slice(0, meant) + replace + tail.slice(meant + find.length);
  const reason = describeEditProblem(planned.problem, WORDS);
  throw new FileToolError(CODES[planned.problem.kind], `Nothing was changed: ${name}: ${reason}`);
}

const WORDS: EditWords = {
  oldText: 'find',
  newText: 'replace',
  several: 'say where with startLine',
  newFile: 'file.write',
};

const CODES: Readonly<Record<EditProblem['kind'], FileToolErrorCode>> = {
  empty: 'invalid_arguments',
  old_not_text: 'invalid_arguments',
  wrong_count: 'find_not_unique',
  same: 'find_not_found',
  new_not_text: 'find_not_found',
  not_found: 'find_not_found',
  too_many: 'find_not_found',
  overlapping: 'find_not_found',
  unclear_indentation: 'find_not_found',
};

/** The line on which the text begins, if it is found. */
function firstLineMatch(tail: string, find: string): number | null {
  const at = find === '' ? -1 : tail.indexOf(find);
  const end = tail.indexOf('\n');
  return at >= 0 && (end < 0 || at <= end) ? at : null;
}

function startOfLine(text: string, line: number, name: string): number {
  let from = 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', from);
    if (end < 0)
      throw new FileToolError('find_not_found', `Nothing was changed: ${name}: the file has only ${at} lines.`);
    from = end + 1;
  }
  return from;
}
