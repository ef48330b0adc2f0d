import { createNestedDocs, withNestedDocs } from '../prompts/nested-docs.ts';
import { readUserDocs } from '../prompts/user-docs.ts';
import type { FileScope, OutputStyle } from '@attractor/settings';
import type { ProviderProfile } from '../types/index.ts';

export type Equipment = {
  readonly home: string;
  readonly userHome: string;
  /** The repository's folder, or the working directory. */
  readonly root: string;
  readonly workingDirectory: string;
  /** As it is chosen at the time. */
  readonly style: () => OutputStyle | null;
  /** The scopes whose instruction files count. Absent: all. */
  readonly only?: ReadonlyArray<FileScope>;
};

/**
 * The profile with the person's instructions for every agent (placed before the project's documents), the style to answer in, and the
 * documents of folders.
 */
export async function equipProfile(profile: ProviderProfile, equipment: Equipment): Promise<ProviderProfile> {
  const { home, userHome, root, workingDirectory, style, only = ['user', 'project'] } = equipment;
  const fileNames = profile.projectDocFiles;
  const person = only.includes('user') ? await readUserDocs({ home, userHome, fileNames }) : { text: '', docs: [] };
  const { text } = person;
  const ofProject = only.includes('project');
  const telling = ofProject
    ? withNestedDocs(profile, createNestedDocs({ root, workingDirectory, fileNames }))
    : profile;
  return {
    ...telling,
    projectDocFiles: ofProject ? fileNames : [],
    userDocuments: person.docs.map(({ file }) => file),
    buildSystemPrompt: (context) =>
      profile.buildSystemPrompt({
        ...context,
        projectDocs: context.omitsDocs === true ? '' : [text, context.projectDocs].filter(Boolean).join('\n\n'),
        userInstruction: [style()?.body ?? '', context.userInstruction ?? ''].filter(Boolean).join('\n\n') || null,
      }),
  };
}
