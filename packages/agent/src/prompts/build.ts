import type { ExecutionEnvironment, ProviderProfile, SessionConfig } from '../types/index.ts';
import { takeGitSnapshot } from './git-snapshot.ts';
import { readProjectDocs } from './project-docs.ts';

export type PromptSource = {
  readonly profile: ProviderProfile;
  readonly environment: ExecutionEnvironment;
  readonly config: SessionConfig;
};

/** The system prompt of a session, built once: what it says about the surroundings is as of now. */
export async function buildSystemPrompt({ profile, environment, config }: PromptSource): Promise<string> {
  const workingDirectory = environment.workingDirectory();
  const git = await takeGitSnapshot(workingDirectory);
  return profile.buildSystemPrompt({
    platform: environment.platform(),
    osVersion: environment.osVersion(),
    workingDirectory,
    gitBranch: git.branch,
    gitStatus: git.status,
    gitLog: git.log,
    date: new Date().toISOString().slice(0, 10),
    model: config.model,
    projectDocs: await readProjectDocs({ environment, root: git.root, fileNames: profile.projectDocFiles }),
    userInstruction: config.userInstruction ?? null,
  });
}
