import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type GitOptions, runGit } from '@attractor/git';

/** How git may talk to remotes: with the person's own configuration for that, never with a repository's. */
export type RemoteOptions = Pick<GitOptions, 'config' | 'timeoutMs'>;

const TALK_TIMEOUT_MS = 120_000;

/** Credentials, ssh, proxies and addresses; nothing else of a person's configuration is used. */
const TAKEN =
  /^(?:credential\.(?:.+\.)?(?:helper|username|usehttppath)|core\.sshcommand|http\.(?:.+\.)?proxy|url\..+\.(?:insteadof|pushinsteadof))$/i;

/** `at` is the repository it is for: a git that the search path finds in there, or in one of `outside`, is not the person's. */
export async function personRemoteOptions(
  env: Readonly<Record<string, string | undefined>>,
  at: string,
  outside: ReadonlyArray<string> = [],
): Promise<RemoteOptions> {
  const home = env['HOME'];
  if (home === undefined || home === '') return { timeoutMs: TALK_TIMEOUT_MS };
  const config: Record<string, string> = {};
  for (const file of [
    join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git', 'config'),
    join(home, '.gitconfig'),
  ].filter((candidate) => existsSync(candidate))) {
    const listed = await runGit(['config', '--file', file, '--includes', '--null', '--list'], { cwd: at, outside });
    if (listed.exitCode !== 0) continue;
    for (const entry of listed.stdout.split('\0')) {
      const end = entry.indexOf('\n');
      const key = end === -1 ? entry : entry.slice(0, end);
      if (TAKEN.test(key) && end !== -1) config[key] = entry.slice(end + 1);
    }
  }
  return { timeoutMs: TALK_TIMEOUT_MS, config };
}
