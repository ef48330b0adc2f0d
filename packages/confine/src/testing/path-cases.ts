import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

type Step = Readonly<
  Partial<Record<'dir' | 'file' | 'text' | 'link' | 'to' | 'hard' | 'fifo' | 'chmod' | 'mode', string>>
>;

/** A case of the containment lists, which everything that opens files for a model must pass. `$T` stands for the case's own folder. */
export type PathCase = {
  readonly id: string;
  readonly cls: string;
  readonly root: string;
  readonly setup: ReadonlyArray<Step>;
  readonly path: string;
  readonly op: string;
  readonly source?: string;
  readonly cwd?: string;
  readonly allowed: boolean;
  readonly why: string;
  readonly acceptEither?: string;
  readonly expectLinkKept?: boolean;
  /** What happens at the same time: a race. */
  readonly during?: ReadonlyArray<Swap>;
  /** What an archive that is unpacked puts there before the entry that is asked for. */
  readonly patchAlsoAdds?: { readonly link: string; readonly to: string };
};

type Swap = Readonly<Partial<Record<'rename' | 'unlink' | 'link' | 'to', string>>>;

const LISTS = { paths: 'paths.json', further: 'further-paths.json', corner: 'corner-paths.json' } as const;

export function pathCases(...lists: ReadonlyArray<keyof typeof LISTS>): ReadonlyArray<PathCase> {
  return lists.flatMap((list): ReadonlyArray<PathCase> =>
    JSON.parse(readFileSync(new URL(`fixtures/${LISTS[list]}`, import.meta.url), 'utf8')),
  );
}

/** Kinds of operations that no file tool performs, and who answers for them. */
export const OTHER_OPERATIONS: Readonly<Record<string, string>> = {
  'http-get': 'the server serves files',
  extract: 'no tool unpacks an archive',
  grant: 'trust decides about working directories',
  temp: 'temporary files lie beside their target under random names',
};

/** A case as files on a disk. */
export type PathWorld = {
  readonly root: string;
  /** The path that is asked for, and where it is moved from, if it is. */
  readonly asked: string;
  readonly source: string;
  readonly cwd: string | null;
  /** Does what happens at the same time. */
  readonly swap: () => void;
  /** The files outside the root, which must not change. */
  readonly outside: () => Readonly<Record<string, string>>;
  readonly remove: () => void;
};

export function buildPathCase(one: PathCase): PathWorld {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'path-case-')));
  const sub = (text: string): string => text.replaceAll('$T', top);
  for (const step of one.setup) make(step, sub);
  const root = sub(one.root);
  const added = one.patchAlsoAdds;
  if (added !== undefined) symlinkSync(added.to, path.join(root, added.link));
  const inside = `${realpathSync(root)}/`;
  return {
    root,
    asked: sub(one.path),
    source: sub(one.source ?? ''),
    cwd: one.cwd === undefined ? null : sub(one.cwd),
    swap: () => {
      for (const step of one.during ?? []) swapOnce(step, sub);
    },
    outside: () => Object.fromEntries(Object.entries(filesBelow(top)).filter(([name]) => !name.startsWith(inside))),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function make(step: Step, sub: (text: string) => string): void {
  const name = sub(step.dir ?? step.file ?? step.link ?? step.hard ?? step.fifo ?? step.chmod ?? '');
  mkdirSync(step.dir === undefined ? path.dirname(name) : name, { recursive: true });
  if (step.file !== undefined) writeFileSync(name, sub(step.text ?? ''));
  if (step.link !== undefined) symlinkSync(sub(step.to ?? ''), name);
  if (step.hard !== undefined) linkSync(sub(step.to ?? ''), name);
  if (step.fifo !== undefined) spawnSync('/usr/bin/mkfifo', [name], { env: {} });
  if (step.chmod !== undefined) chmodSync(name, Number.parseInt(step.mode ?? '', 8));
}

function swapOnce({ rename, unlink, link, to }: Swap, sub: (text: string) => string): void {
  if (rename !== undefined) renameSync(sub(rename), sub(to ?? ''));
  if (unlink !== undefined) rmSync(sub(unlink));
  if (link !== undefined) symlinkSync(sub(to ?? ''), sub(link));
}

function filesBelow(folder: string, found: Record<string, string> = {}): Record<string, string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) filesBelow(name, found);
    if (entry.isFile()) found[name] = readFileSync(name, 'latin1');
    if (entry.isSymbolicLink()) found[name] = `link:${readlinkSync(name)}`;
  }
  return found;
}
