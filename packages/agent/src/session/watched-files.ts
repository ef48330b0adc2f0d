import { statSync } from 'node:fs';
import path from 'node:path';
import type { Hooks } from '../hooks/hooks.ts';
import type { SettingFile } from '../contract/session.ts';

/** What hooks are told about a file that changed. */
export type WatchedChange =
  | { readonly event: 'FileChanged'; readonly extras: { readonly file_path: string; readonly event: Happened } }
  | { readonly event: 'ConfigChange'; readonly extras: { readonly file_path: string; readonly source: string } };

type Happened = 'change' | 'add' | 'unlink';

export type WatchedFiles = {
  /** Further files, by their whole paths. */
  readonly add: (files: ReadonlyArray<string>) => void;
  /** What changed since the last look; a file that is seen for the first time did not. */
  readonly changes: (folder: string) => ReadonlyArray<WatchedChange>;
};

/** The files that FileChanged hooks name, in the folder that is worked in, and those of the settings. Looked at only when asked. */
export function watchFiles(hooks: Pick<Hooks, 'has' | 'matchers'>, settings: ReadonlyArray<SettingFile>): WatchedFiles {
  const names = hooks.matchers('FileChanged').flatMap((matcher) => matcher.split(/[|,]/).map((name) => name.trim()));
  const further = new Set<string>();
  const seen = new Map<string, string | null>();
  const happened = (key: string, file: string): Happened | null => {
    const [before, now] = [seen.get(key), stampOf(file)];
    seen.set(key, now);
    if (before === undefined || before === now) return null;
    return before === null ? 'add' : now === null ? 'unlink' : 'change';
  };
  const filesIn = (folder: string): ReadonlyArray<string> => [
    ...new Set([...names.filter(isName).map((name) => path.join(folder, name)), ...further]),
  ];
  return {
    add: (files) => {
      for (const file of files.filter((name) => path.isAbsolute(name))) {
        further.add(file);
        if (!seen.has(file)) seen.set(file, stampOf(file));
      }
    },
    changes: (folder) => [
      ...(hooks.has('FileChanged') ? filesIn(folder) : []).flatMap((file): ReadonlyArray<WatchedChange> => {
        const event = happened(file, file);
        return event === null ? [] : [{ event: 'FileChanged', extras: { file_path: file, event } }];
      }),
      ...(hooks.has('ConfigChange') ? settings : []).flatMap(({ file, source }): ReadonlyArray<WatchedChange> => {
        if (happened(`${source} ${file}`, file) === null) return [];
        return [{ event: 'ConfigChange', extras: { file_path: file, source } }];
      }),
    ],
  };
}

function isName(name: string): boolean {
  return name !== '' && !/[*\\^$()[\]{}+?/]/.test(name);
}

function stampOf(file: string): string | null {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.mtimeNs} ${stats.size} ${stats.ino}`;
}
