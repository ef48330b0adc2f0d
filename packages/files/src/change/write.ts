import { defined } from '@attractor/base';
import type { OperationOptions } from '../file-operations.ts';
import { changeFiles } from './change-files.ts';

export type WriteRequest = OperationOptions & {
  readonly content: string;
  readonly expectedVersion?: string | undefined;
};

/**
 * Replaces or creates a file: the old content or the new, never a mix. Mode and owner stay; a link stays and its target changes; missing
 * folders are created. Other hard links of the file keep the old content: what is outside is never written. Extended attributes and access
 * lists are those of a new file: Node can't read them.
 */
export async function writeWhole(root: string, asked: string, writing: WriteRequest): Promise<void> {
  const { content, expectedVersion, signal } = writing;
  await changeFiles(
    root,
    [{ kind: 'write', path: asked, content, ...defined({ expectedVersion }) }],
    defined({ signal }),
  );
}

/** Removes a file, or a link itself. */
export async function deleteOne(root: string, asked: string, options: OperationOptions = {}): Promise<void> {
  await changeFiles(root, [{ kind: 'delete', path: asked }], options);
}
