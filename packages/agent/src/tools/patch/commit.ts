import { defined } from '@attractor/base';
import type { ExecutionEnvironment, FileChange, OperationOptions } from '../../types/index.ts';

/** Makes all the changes or none: if one fails, those before it are rolled back and the failure is thrown. */
export async function commitChanges(
  changes: ReadonlyArray<FileChange>,
  env: ExecutionEnvironment,
  options: OperationOptions = {},
): Promise<void> {
  if (env.changeFiles !== undefined) return env.changeFiles(changes, options);
  const takeBack: (() => Promise<void>)[] = [];
  try {
    for (const change of changes) for (const step of stepsOf(change)) takeBack.push(await step(env));
  } catch (error) {
    for (const undo of takeBack.toReversed()) await undo();
    throw error;
  }
}

/** Does something and returns how to undo it. For environments that change files one by one: texts, without mode and owner. */
type Step = (env: ExecutionEnvironment) => Promise<() => Promise<void>>;

function stepsOf(change: FileChange): ReadonlyArray<Step> {
  switch (change.kind) {
    case 'write':
      return [write(change.path, change.content, change.expectedVersion ?? undefined)];
    case 'delete':
      return [remove(change.path)];
    case 'move': {
      const { content } = change;
      const copy: Step = async (env) => write(change.to, content ?? (await env.readText(change.path)))(env);
      return [copy, remove(change.path)];
    }
  }
}

function write(file: string, content: string, expectedVersion?: string): Step {
  return async (env) => {
    const before = (await env.fileExists(file)) ? await env.readText(file) : null;
    await env.writeFile(file, content, defined({ expectedVersion }));
    return () => (before === null ? env.deleteFile(file) : env.writeFile(file, before));
  };
}

function remove(file: string): Step {
  return async (env) => {
    const before = await env.readText(file);
    await env.deleteFile(file);
    return () => env.writeFile(file, before);
  };
}
