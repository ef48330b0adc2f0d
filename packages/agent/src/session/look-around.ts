import type { HookEventName, HookOutcome } from '@attractor/settings';
import type { Hooks } from '../hooks/hooks.ts';
import type { SettingFile } from '../contract/session.ts';
import type { LoadedDocument, SessionEvent } from '../types/index.ts';
import { documentFields } from './hooked-documents.ts';
import { watchFiles } from './watched-files.ts';

/** What happens beside the calls of a session and is told to hooks between its rounds. */
export type Surroundings = {
  /** Documents that the model gets. */
  readonly instructed: (documents: ReadonlyArray<LoadedDocument>) => void;
  /** Tells hooks of documents that came and of files that changed. */
  readonly lookAround: () => Promise<void>;
  readonly watch: (files: ReadonlyArray<string>) => void;
};

export type SurroundingsSource = {
  readonly hooks: Hooks;
  readonly settingFiles: ReadonlyArray<SettingFile>;
  /** Where the session works now. */
  readonly folder: () => string;
  /** A subagent leaves files to the session that started it. */
  readonly isChild: boolean;
  readonly fire: (event: HookEventName, extras: Readonly<Record<string, unknown>>) => Promise<HookOutcome>;
  readonly tell: (event: HookEventName, context: ReadonlyArray<string>) => void;
  readonly record: (event: SessionEvent) => void;
};

export function createSurroundings(source: SurroundingsSource): Surroundings {
  const { hooks, settingFiles, folder, isChild, fire, tell, record } = source;
  const watched = watchFiles(hooks, settingFiles);
  const documents: LoadedDocument[] = [];
  return {
    watch: watched.add,
    instructed: (given) => {
      if (hooks.has('InstructionsLoaded')) documents.push(...given);
    },
    lookAround: async () => {
      for (const document of documents.splice(0)) await fire('InstructionsLoaded', documentFields(document));
      for (const { event, extras } of isChild ? [] : watched.changes(folder())) {
        const { block, context } = await fire(event, extras);
        tell(event, context);
        if (block === null) continue;
        const message = `A hook objects to the change of ${extras.file_path}: ${block}. It counts in later sessions only.`;
        record({ kind: 'WARNING', message });
      }
    },
  };
}
