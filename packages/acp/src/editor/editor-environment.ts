import path from 'node:path';
import { EnvironmentError, type ExecutionEnvironment, type FileChange, type OperationOptions } from '@attractor/agent';
import { numberLines } from '@attractor/files';
import type { Editor } from './editor.ts';

/** A file as it was and as it became; null: there was none, or there is none any more. */
export type FileEdit = { readonly path: string; readonly before: string | null; readonly after: string | null };

type Noting = { readonly editor: Editor; readonly note: (edit: FileEdit) => void };

/**
 * The folder as the editor shows it: a file with unsaved changes is read as it stands there, and a file is written by the editor, where it
 * offers that. Containment is the folder's own and decides first; a change of several files at once stays all or nothing on disk. Every
 * change is noted with the text before and after.
 */
export function editorEnvironment(own: ExecutionEnvironment, { editor, note }: Noting): ExecutionEnvironment {
  const at = (file: string): string => path.resolve(own.workingDirectory(), file);
  const isOpenTo = (file: string, access: 'read' | 'write'): boolean => own.refuses?.(file, access) === null;
  const textOf = (file: string, options?: OperationOptions): Promise<string | null> =>
    own.readText(file, options).catch(() => null);
  /** Null: it is as it is on disk. */
  const unsaved = async (file: string, { signal }: OperationOptions = {}): Promise<string | null> => {
    if (!editor.can.readsFiles || !isOpenTo(file, 'read') || !(await own.fileExists(file))) return null;
    const answer = await editor.call('fs/read_text_file', { path: at(file) }, signal);
    const content = answer.ok ? answer.result['content'] : null;
    if (typeof content !== 'string') return null;
    return content === (await textOf(file)) ? null : content;
  };
  const read = async (file: string): Promise<string | null> => (await unsaved(file)) ?? textOf(file);
  const write: ExecutionEnvironment['writeFile'] = async (file, content, options = {}) => {
    const { expectedVersion, signal } = options;
    const isStale = expectedVersion !== undefined && (await own.fileVersion?.(file)) !== expectedVersion;
    // The folder's own refusal is the one that a model understands.
    if (!editor.can.writesFiles || isStale || !isOpenTo(file, 'write')) return own.writeFile(file, content, options);
    const answer = await editor.call('fs/write_text_file', { path: at(file), content }, signal);
    if (!answer.ok) throw refusedBy(file, answer.error.message);
  };
  return {
    ...own,
    readFile: async (file, offset = 0, limit = Infinity, options = {}) => {
      const text = await unsaved(file, options);
      return text === null ? own.readFile(file, offset, limit, options) : numberLines(text, file, { offset, limit });
    },
    readText: async (file, options) => (await unsaved(file, options)) ?? own.readText(file, options),
    readBytes: async (file, options) => {
      const text = await unsaved(file, options);
      return text === null ? own.readBytes(file, options) : Buffer.from(text);
    },
    writeFile: async (file, content, options) => {
      const before = await read(file);
      await write(file, content, options);
      note({ path: at(file), before, after: content });
    },
    deleteFile: async (file, options) => {
      const before = await read(file);
      await own.deleteFile(file, options);
      note({ path: at(file), before, after: null });
    },
    ...(own.changeFiles === undefined ? {} : { changeFiles: noted(own.changeFiles, { read, at, note }) }),
  };
}

type Reading = Pick<Noting, 'note'> & {
  readonly read: (file: string) => Promise<string | null>;
  readonly at: (file: string) => string;
};

type ChangeFiles = NonNullable<ExecutionEnvironment['changeFiles']>;

function noted(changeFiles: ChangeFiles, { read, at, note }: Reading): ChangeFiles {
  return async (changes, options) => {
    const before = await Promise.all(changes.map(({ path: file }) => read(file)));
    await changeFiles(changes, options);
    for (const [index, change] of changes.entries())
      for (const edit of editsOf(change, before[index] ?? null)) note({ ...edit, path: at(edit.path) });
  };
}

function editsOf(change: FileChange, before: string | null): ReadonlyArray<FileEdit> {
  if (change.kind === 'write') return [{ path: change.path, before, after: change.content }];
  if (change.kind === 'delete') return [{ path: change.path, before, after: null }];
  return [
    { path: change.path, before, after: null },
    { path: change.to, before: null, after: change.content ?? before },
  ];
}

function refusedBy(file: string, why: string): EnvironmentError {
  return new EnvironmentError({ code: 'permission', message: `The editor did not write ${file}: ${why}` });
}
