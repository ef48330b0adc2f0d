import { defined } from '@attractor/base';
import type {
  ExecutionEnvironment,
  ProviderProfile,
  SessionConfig,
  LoadedDocument,
  ToolDefinition,
} from '../types/index.ts';
import { memoryForSystemText } from '../compaction/memory.ts';
import { takeGitSnapshot } from '@attractor/git';
import { loadedDocument } from './found-docs.ts';
import { readProjectDocs } from './project-docs.ts';

export type SystemTextSource = {
  readonly profile: ProviderProfile;
  readonly environment: ExecutionEnvironment;
  readonly config: SessionConfig;
  /** What the session offers, where it offers other tools than its profile. */
  readonly tools?: ReadonlyArray<ToolDefinition>;
  /** The project's memory, placed after its documents. */
  readonly memoryFile?: string;
  /** What the date is taken from. Absent: this machine's clock. */
  readonly now?: () => Date;
  /** Told of the documents that are in the text. */
  readonly onDocuments?: (documents: ReadonlyArray<LoadedDocument>) => void;
  /** Told what of the documents did not fit. */
  readonly onCut?: (message: string) => void;
};

/**
 * The system text of a session. It is built once, before the first request, and then read from the journal: its date and surroundings are
 * those of that moment, and its bytes stay the same for every turn and after every resume.
 */
export async function buildSystemPrompt(source: SystemTextSource): Promise<string> {
  const { profile, environment, config, now = () => new Date() } = source;
  if (profile.systemText !== undefined) return profile.systemText;
  const workingDirectory = environment.workingDirectory();
  const git = await takeGitSnapshot(workingDirectory);
  const told = (profile.userDocuments ?? []).map((file): LoadedDocument => ({ file, scope: 'user' }));
  const docs = await readProjectDocs({
    environment,
    root: git.root,
    fileNames: profile.projectDocFiles,
    onDocs: (found) => source.onDocuments?.([...told, ...found.map(loadedDocument)]),
    ...defined({ onCut: source.onCut }),
  });
  const memory = source.memoryFile === undefined ? '' : memoryForSystemText(source.memoryFile);
  return profile.buildSystemPrompt({
    platform: environment.platform(),
    osVersion: environment.osVersion(),
    workingDirectory,
    ...defined({ furtherFolders: environment.furtherFolders?.(), limits: environment.limits?.() }),
    gitBranch: git.branch,
    gitStatus: git.status,
    gitLog: git.log,
    date: dayOf(now()),
    model: config.model,
    projectDocs: [docs, memory].filter(Boolean).join('\n\n'),
    userInstruction: config.userInstruction ?? null,
    tools: source.tools ?? profile.toolRegistry.definitions(),
  });
}

/** YYYY-MM-DD in the person's time zone. */
function dayOf(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
