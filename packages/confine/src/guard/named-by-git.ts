import { readFileSync } from 'node:fs';
import path from 'node:path';
import { targetAt } from '../containment/list-folder.ts';
import { readGitConfig } from './git-config-text.ts';

export type GitSettings = {
  /** Files that git reads for this repository. */
  readonly files: ReadonlyArray<string>;
  /** What relative paths of hooks and programs are relative to. */
  readonly top: string;
  readonly home: string;
};

/**
 * `named`: files that settings of git include, folders of hooks and of templates that they name, and the programs that they have git run,
 * there or not; `read`: the files that say so.
 */
export type NamedByGit = { readonly named: ReadonlyArray<string>; readonly read: ReadonlyArray<string> };

export function namedByGit({ files, top, home }: GitSettings): NamedByGit {
  const seen = new Set<string>();
  const named: string[] = [];
  const read = (file: string, depth: number): void => {
    if (seen.has(file) || depth > MAX_DEPTH) return;
    seen.add(file);
    for (const [key, value] of readGitConfig(textOf(file))) {
      const plain = (value ?? '').replace(/^~(?=\/)/, home);
      if (FOLDERS.has(key)) named.push(path.resolve(top, plain));
      const programs = programsIn(key, plain).map((word) => path.resolve(top, word.replace(/^~(?=\/)/, home)));
      named.push(...programs.filter((at) => targetAt(at)?.isDirectory() !== true));
      if (!/^include(?:if)?\.path$/.test(key) || plain === '') continue;
      const included = path.resolve(path.dirname(file), plain);
      named.push(included);
      read(included, depth + 1);
    }
  };
  for (const file of files) read(file, 0);
  return { named: [...new Set(named)], read: [...seen] };
}

/** As deep as git follows them. */
const MAX_DEPTH = 10;
const FOLDERS = new Set(['core.hookspath', 'init.templatedir']);
const PROGRAMS =
  /^(?:core\.(?:alternaterefscommand|askpass|editor|fsmonitor|gitproxy|pager|sshcommand)|sequence\.editor|diff\.external|credential\.helper|pager\.[\w-]+|[\w-]+\.(?:clean|cmd|command|defaultkeycommand|driver|process|program|receivepack|smudge|textconv|uploadpack))$/;
/** Their first word that is no option is a file that they run. */
const INTERPRETERS = /^(?:(?:ba|da|z|k)?sh|node|deno|bun|tsx|python[\d.]*|perl|ruby|php|lua|env|exec)$/;

/** The files that git would run for a setting, by their names: they stand where a program stands, or behind one that runs files. */
export function programsIn(named: string, value: string): ReadonlyArray<string> {
  // Without the name in the middle of `filter.x.clean`.
  const key = named.replace(/\..*\./s, '.');
  const isProgram = PROGRAMS.test(key) || (key.startsWith('alias.') && value.startsWith('!'));
  if (!isProgram) return [];
  return value.split(/[;&|(){}\n]+/).flatMap((part) => {
    const words = (part.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [])
      .map((word) => word.replaceAll(/["']/g, ''))
      .filter((word, at) => !(at === 0 && word === '!') && !/^\w+=/.test(word));
    const [name = '', ...given] = words.map((word) => word.replace(/^!/, ''));
    const script = INTERPRETERS.test(path.basename(name)) ? given.find((word) => !word.startsWith('-')) : undefined;
    return [...(name.includes('/') ? [name] : []), ...(script === undefined ? [] : [script])].filter(
      (word) => !/[$`%*]/.test(word),
    );
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
