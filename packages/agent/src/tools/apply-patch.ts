import type { RegisteredTool, ToolExecutor } from '../types/index.ts';
import { answering, failure, requiredText } from './arguments.ts';
import { commitChanges } from './patch/commit.ts';
import { parsePatch, type PatchOperation } from './patch/parse.ts';
import { planPatch } from './patch/plan.ts';
import { rememberFile } from './seen-files.ts';

export function createApplyPatchTool(): RegisteredTool {
  return {
    definition: {
      name: 'apply_patch',
      description: [
        'Adds, deletes, updates and moves files by a patch; all of it is applied, or nothing. Format, one element a line:',
        '*** Begin Patch',
        '*** Add File: path (then every line of the file with a leading "+")',
        '*** Delete File: path',
        '*** Update File: path (then optionally "*** Move to: path", then hunks)',
        '@@ a line that stands before the change, such as the name of the function (optional)',
        ' context, -removed and +added lines, about three lines of context around a change',
        '*** End Patch',
      ].join('\n'),
      parameters: {
        type: 'object',
        properties: { patch: { type: 'string', description: 'The whole patch, with relative paths.' } },
        required: ['patch'],
        additionalProperties: false,
      },
    },
    executor: applyPatchExecutor,
    serial: true,
  };
}

export const applyPatchExecutor: ToolExecutor = answering(async (args, env) => {
  const parsed = parsePatch(requiredText(args, 'patch'));
  if (!parsed.ok) return failure(`The patch was not applied. ${parsed.reason}`);
  const plan = await planPatch(parsed.operations, env);
  if (!plan.ok) return failure(`The patch was not applied, no file was changed. ${plan.reason}`);
  await commitChanges(plan.changes, env);
  for (const operation of parsed.operations) await rememberFile(env, whereItIs(operation));
  const count = parsed.operations.length === 1 ? '1 operation' : `${parsed.operations.length} operations`;
  return `Applied ${count}: ${parsed.operations.map(describe).join(', ')}`;
});

function whereItIs(operation: PatchOperation): string {
  return operation.kind === 'update' ? (operation.moveTo ?? operation.path) : operation.path;
}

function describe(operation: PatchOperation): string {
  if (operation.kind === 'add') return `Added ${operation.path}`;
  if (operation.kind === 'delete') return `Deleted ${operation.path}`;
  const hunks = operation.hunks.length === 1 ? '1 hunk' : `${operation.hunks.length} hunks`;
  const moved = operation.moveTo === null ? '' : `, moved to ${operation.moveTo}`;
  return `Updated ${operation.path} (${hunks})${moved}`;
}
