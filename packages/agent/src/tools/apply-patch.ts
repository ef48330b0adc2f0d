import { defined } from '@attractor/base';
import {
  EnvironmentError,
  type ExecutionEnvironment,
  type FileChange,
  type RegisteredTool,
  type ToolExecutor,
} from '../types/index.ts';
import { answering, failure, requiredText } from './arguments.ts';
import { commitChanges } from './patch/commit.ts';
import { parsePatch, type PatchOperation } from '@attractor/patch';
import { planPatch } from './patch/plan.ts';
import { rememberFile, rememberWritten } from './seen-files.ts';

/** `apply_patch`: a patch in the v4a form over any number of files, applied whole or not at all. */
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
        '@@ a line that stands before the change, such as the head of the function (optional; several narrow it down)',
        ' context, -removed and +added lines, about three lines of context around a change; hunks in the order of the file',
        '*** End of File (optional: the hunk is the end of the file)',
        '*** End Patch',
      ].join('\n'),
      parameters: {
        type: 'object',
        properties: { patch: { type: 'string', description: 'The whole patch, with relative paths.' } },
        required: ['patch'],
        additionalProperties: false,
      },
    },
    // As codex calls it.
    ownArguments: ({ input, ...rest }) => (input === undefined ? rest : { patch: input, ...rest }),
    executor: applyPatchExecutor,
    serial: true,
  };
}

/** Plans in memory first, so that a patch that does not apply changes nothing; then makes all the changes or none. */
export const applyPatchExecutor: ToolExecutor = answering(async (args, env, context) => {
  const parsed = parsePatch(requiredText(args, 'patch'));
  if (!parsed.ok) return failure(`The patch was not applied. ${parsed.reason}`);
  const plan = await planPatch(parsed.operations, env);
  if (!plan.ok) return failure(`The patch was not applied, no file was changed. ${plan.reason}`);
  try {
    await commitChanges(plan.changes, env, defined({ signal: context?.signal }));
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return failure(`The patch was not applied. ${error.message}`);
  }
  const warnings: string[] = [];
  for (const change of plan.changes) warnings.push(await rememberChange(env, change));
  const count = parsed.operations.length === 1 ? '1 operation' : `${parsed.operations.length} operations`;
  return (
    [`Applied ${count}: ${parsed.operations.map(describe).join(', ')}`, ...plan.notes].join('\n') + warnings.join('')
  );
});

async function rememberChange(env: ExecutionEnvironment, change: FileChange): Promise<string> {
  if (change.kind === 'write') return rememberWritten(env, change.path, change.content);
  await rememberFile(env, change.path);
  return change.kind === 'move' && change.content !== null ? rememberWritten(env, change.to, change.content) : '';
}

function describe(operation: PatchOperation): string {
  if (operation.kind === 'add') return `Added ${operation.path}`;
  if (operation.kind === 'delete') return `Deleted ${operation.path}`;
  const hunks = operation.hunks.length === 1 ? '1 hunk' : `${operation.hunks.length} hunks`;
  const moved = operation.moveTo === null ? '' : `, moved to ${operation.moveTo}`;
  return `Updated ${operation.path} (${hunks})${moved}`;
}
