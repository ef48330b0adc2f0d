import { runGit } from '@attractor/git';
import { classifyRemote } from './classify-remote.ts';
import type { ScmResult } from './outside-result.ts';
import type { RemoteOptions } from './person-git.ts';
import type { Repository } from './repository.ts';

type From = {
  readonly repository: Repository;
  readonly remote: { readonly name: string; readonly isPromisor?: true };
  readonly talk: RemoteOptions & { readonly signal?: AbortSignal };
  readonly branch: string;
};

/** As long as a clone may take: these may be most of the files of a project. */
const TIMEOUT_MS = 280_000;
const MAX_LIST_BYTES = 256 << 20;
/** A folder comes with all that is below it, so one round is enough; a second one sees that it was. */
const MAX_ROUNDS = 3;

/**
 * A partial clone leaves out what nobody looked at yet, and git would get it from the remote in the midst of any command. Ours may not
 * talk unless that is what they are for, so what the files of these commits need is fetched here, at once. Elsewhere it does nothing.
 */
export async function fetchMissing(from: From, commits: ReadonlyArray<string>): Promise<ScmResult<null>> {
  if (from.remote.isPromisor !== true) return HAVE_ALL;
  const { repository, remote, talk, branch } = from;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const missing = await missingOf(repository, commits);
    if (missing.length === 0) return HAVE_ALL;
    const flags = [
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-recurse-submodules',
      '--no-filter',
      '--stdin',
    ];
    const fetched = await runGit(['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', ...flags, '--', remote.name], {
      cwd: repository.root,
      ...talk,
      timeoutMs: TIMEOUT_MS,
      stdin: `${missing.join('\n')}\n`,
    });
    if (fetched.exitCode !== 0)
      return { ok: false, error: classifyRemote(fetched.stderr, { remote: remote.name, branch }) };
  }
  return HAVE_ALL;
}

const HAVE_ALL = { ok: true, value: null } as const;

async function missingOf({ root }: Repository, commits: ReadonlyArray<string>): Promise<ReadonlyArray<string>> {
  const flags = ['--objects', '--no-object-names', '--no-walk', '--missing=print'];
  const listed = await runGit(['rev-list', ...flags, ...commits, '--'], { cwd: root, maxOutputBytes: MAX_LIST_BYTES });
  return listed.stdout.split('\n').flatMap((line) => /^\?([0-9a-f]+)$/.exec(line)?.[1] ?? []);
}
