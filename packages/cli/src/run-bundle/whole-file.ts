import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '@attractor/base';
import { openBundle } from '@attractor/bundle';
import { CommandFailure, EXIT, unwrap } from '@attractor/console';

export async function refuseIfThere(file: string): Promise<void> {
  const there = await open(file).catch(() => null);
  await there?.close();
  if (there !== null) throw isThere(file);
}

function isThere(file: string): CommandFailure {
  return new CommandFailure(
    `${file} is there already: choose another --output, or replace it with --force`,
    EXIT.refused,
  );
}

type Whole = { readonly bytes: number; readonly isFinished: boolean; readonly missing: ReadonlyArray<string> };

/** Written beside its place and moved there when it is complete and can be read back: a kill leaves no half file under its name. */
export async function writeWhole(file: string, body: AsyncIterable<Uint8Array>, replaces: boolean): Promise<Whole> {
  await removeDead(file);
  const draft = join(dirname(file), draftName(file, process.pid));
  try {
    const bytes = await writeDraft(draft, body);
    const bundle = unwrap(await openBundle(draft));
    const missing: string[] = [];
    for await (const part of bundle.parts()) if (part.part === 'missing') missing.push(part.text);
    if (replaces) await rename(draft, file);
    else await link(draft, file);
    return { bytes, isFinished: bundle.header.isFinished, missing };
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST') throw isThere(file);
    throw new CommandFailure(
      `can't write ${file} (${messageOf(error)})`,
      code === 'ENOENT' ? EXIT.notFound : EXIT.failed,
    );
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(draft: string, body: AsyncIterable<Uint8Array>): Promise<number> {
  const handle = await open(draft, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of body) {
      await handle.writeFile(chunk);
      bytes += chunk.length;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return bytes;
}

function draftName(file: string, pid: number): string {
  return `.${basename(file)}.${pid}.part`;
}

/** What an export that was killed left beside the same file. */
async function removeDead(file: string): Promise<void> {
  const names = await readdir(dirname(file)).catch(() => []);
  for (const name of names) {
    const pid = Number(name.split('.').at(-2));
    if (name === draftName(file, pid) && !isAlive(pid)) await rm(join(dirname(file), name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch {
    return false;
  }
}
