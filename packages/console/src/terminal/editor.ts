import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { done, failed, messageOf, type Result } from '@attractor/base';

export type Editing = {
  /** Of the file, so that an editor knows what it is: `plan.md`. */
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** The text as a person left it in their own editor: $VISUAL, then $EDITOR, then vi. Without a change of theirs it is the same text. */
export async function editText(
  text: string,
  { name, env }: Editing,
): Promise<Result<string, { readonly message: string }>> {
  const chosen = [env['VISUAL'], env['EDITOR']].find((one) => one !== undefined && one.trim() !== '') ?? 'vi';
  const [program = 'vi', ...args] = chosen.trim().split(/\s+/);
  const folder = await mkdtemp(join(tmpdir(), 'attractor-edit-'));
  const file = join(folder, name);
  try {
    await writeFile(file, text, { mode: 0o600 });
    const problem = await open(program, [...args, file]);
    if (problem !== null) return failed({ message: `${chosen} ${problem}. Choose another editor with $EDITOR.` });
    const left = await readFile(file, 'utf8');
    // Editors end the last line; the text had none.
    return done(!text.endsWith('\n') && left === `${text}\n` ? text : left);
  } catch (error) {
    return failed({ message: `The text could not be edited: ${messageOf(error)}` });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Why the editor did not end well; null if it did. */
function open(program: string, args: ReadonlyArray<string>): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.once('error', (error) => resolve(`can't be started (${error.message})`));
    child.once('exit', (code, signal) => resolve(code === 0 ? null : `ended with ${code ?? signal ?? 'an error'}`));
  });
}
