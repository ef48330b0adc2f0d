import { runGit } from '@attractor/git';
import { CommandFailure, EXIT } from '@attractor/console';

/** The top folder of the repository that `folder` is in. */
export async function repositoryRoot(folder: string): Promise<string> {
  const result = await runGit(['rev-parse', '--show-toplevel'], { cwd: folder, safeDirectory: '*' });
  if (result.failure === 'not_installed')
    throw new CommandFailure('git is not installed. See `attractor doctor`.', EXIT.refused);
  if (result.exitCode !== 0)
    throw new CommandFailure(
      `${folder} is not in a git repository. Go to one, or make one with \`git init\` and a first commit.`,
      EXIT.refused,
    );
  return result.stdout.trim();
}
