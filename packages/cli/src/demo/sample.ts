import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runGit } from '@attractor/git';
import { CommandFailure } from '../exit.ts';
import { SAMPLE_FILES } from './sample-files.ts';

const AUTHOR = { name: 'Attractor Demo', email: 'demo@attractor.invalid' };

/** Creates the sample repository, all or nothing: it is built beside its place and moved there when complete. */
export async function makeSample(place: string): Promise<void> {
  if (existsSync(place)) return;
  const draft = `${place}.draft`;
  rmSync(draft, { recursive: true, force: true });
  for (const [name, text] of Object.entries(SAMPLE_FILES)) {
    mkdirSync(dirname(join(draft, name)), { recursive: true });
    writeFileSync(join(draft, name), text);
  }
  await git(draft, ['init', '-q', '-b', 'main']);
  await git(draft, ['add', '--all']);
  await git(draft, ['commit', '-q', '-m', 'Slugs, with tests that say what is still missing']);
  renameSync(draft, place);
}

async function git(cwd: string, args: ReadonlyArray<string>): Promise<void> {
  const result = await runGit(args, { cwd, author: AUTHOR });
  if (result.exitCode !== 0)
    throw new CommandFailure(
      `can't make the sample repository: git ${args[0] ?? ''}: ${result.stderr.trim()}. Is git installed? See \`attractor doctor\`.`,
    );
}
