import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { done } from '@attractor/base';
import { runGit } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { inDraft } from '../copy/draft.ts';
import { SAMPLE_FILES } from './sample-files.ts';

const AUTHOR = { name: 'Attractor Demo', email: 'demo@attractor.invalid' };

const STEPS = [
  ['init', '-q', '-b', 'main'],
  ['add', '--all'],
  ['commit', '-q', '-m', 'Slugs, with tests that say what is still missing'],
];

/** The sample repository, all or nothing: it is built beside its place and moved there when complete. One that is there stays as it is. */
export async function makeSample(place: string): Promise<Result<string>> {
  if (existsSync(place)) return done(realpathSync(place));
  return inDraft(dirname(place), async (draft) => {
    for (const [name, text] of Object.entries(SAMPLE_FILES)) {
      mkdirSync(dirname(join(draft, name)), { recursive: true });
      writeFileSync(join(draft, name), text);
    }
    for (const args of STEPS) {
      const made = await runGit(args, { cwd: draft, author: AUTHOR });
      if (made.exitCode !== 0) return refuse('unavailable', notMade(args[0] ?? '', made.stderr.trim()));
    }
    // Two may make it at once: the first one's is taken.
    await rename(draft, place).catch((error: unknown) => {
      if (!existsSync(place)) throw error;
    });
    return done(realpathSync(place));
  });
}

function notMade(step: string, said: string): string {
  return `The sample repository can't be made: git ${step}: ${said}. Is git installed? See \`attractor doctor\`.`;
}
