import { readFileSync } from 'node:fs';
import path from 'node:path';

export type GitSettings = {
  /** Files that git reads for this repository. */
  readonly files: ReadonlyArray<string>;
  /** What relative paths of hooks are relative to. */
  readonly top: string;
  readonly home: string;
};

/** `named`: files that settings of git include, and folders of hooks that they name, there or not; `read`: the files that say so. */
export type NamedByGit = { readonly named: ReadonlyArray<string>; readonly read: ReadonlyArray<string> };

export function namedByGit({ files, top, home }: GitSettings): NamedByGit {
  const seen = new Set<string>();
  const named: string[] = [];
  const read = (file: string, depth: number): void => {
    if (seen.has(file) || depth > MAX_DEPTH) return;
    seen.add(file);
    for (const [key, value] of settingsIn(file)) {
      const plain = value.replace(/^~(?=\/)/, home);
      if (key === 'core.hookspath') named.push(path.resolve(top, plain));
      if (!/^include(?:if)?\.path$/.test(key)) continue;
      const included = path.resolve(path.dirname(file), plain);
      named.push(included);
      read(included, depth + 1);
    }
  };
  for (const file of files) read(file, 0);
  return { named: [...new Set(named)], read: [...seen] };
}

const MAX_DEPTH = 5;

/** The last section counts for each key, without the name in quotes. */
function settingsIn(file: string): ReadonlyArray<readonly [key: string, value: string]> {
  let section = '';
  return textOf(file)
    .split('\n')
    .flatMap((line) => {
      const [, heading, rest = line] = /^\s*\[\s*([\w.-]+)[^\]]*\](.*)$/.exec(line) ?? [];
      if (heading !== undefined) section = heading.toLowerCase();
      const [, key, value = ''] = /^\s*([a-z][a-z\d-]*)\s*=\s*"?(.*?)"?\s*$/i.exec(rest) ?? [];
      return key === undefined ? [] : [[`${section}.${key.toLowerCase()}`, value] as const];
    });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
