import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type GitOptions, type GitResult, runGit } from '@attractor/git';
import { UndoError } from './failure.ts';
import { readExcludes, type Roots } from './roots.ts';

/**
 * The shadow store: our own git folder whose work tree is the workspace. It never shares objects, index, refs or configuration with the
 * person's repository, and no attribute or filter of the workspace applies to it: bytes go in and come out unchanged.
 */
export type Store = {
  readonly roots: Roots;
  readonly statePath: string;
  readonly gitDir: string;
  /** Git's answer, or an `UndoError`. */
  readonly git: (args: ReadonlyArray<string>, options?: StoreGitOptions) => Promise<string>;
  /** For callers that examine a refusal. */
  readonly tryGit: (args: ReadonlyArray<string>, options?: StoreGitOptions) => Promise<GitResult>;
};

export type StoreGitOptions = Pick<GitOptions, 'stdin' | 'timeoutMs' | 'signal' | 'config'> & {
  /** An index and work tree other than the store's own. */
  readonly index?: string;
  readonly workTree?: string;
};

/** The prefix of folders that a rewind creates beside the files, and of temporary files of the editing tools. */
export const STAGE_PREFIX = '.attractor-undo-';
const NEVER_STORED = [`${STAGE_PREFIX}*/`, '.attractor-*.tmp'];

const CONFIG = `[core]
	repositoryformatversion = 0
	bare = false
	filemode = true
	symlinks = true
	ignorecase = false
	precomposeunicode = false
	protectNTFS = false
	protectHFS = false
	autocrlf = false
	safecrlf = false
	quotePath = true
	compression = 1
	fsync = committed,loose-object
	fsyncMethod = batch
	attributesFile = /dev/null
[pack]
	threads = 1
`;

const ATTRIBUTES = '* -text !eol -crlf -ident -filter !working-tree-encoding\n';
const MAX_OUTPUT_BYTES = 1 << 29;

export function openStore(statePath: string, roots: Roots): Store {
  const gitDir = path.join(statePath, 'shadow.git');
  const index = path.join(gitDir, 'index');
  layOut(gitDir);
  writeExcludes({ gitDir, statePath, roots });

  const tryGit: Store['tryGit'] = (args, options = {}) => {
    const { index: otherIndex, workTree, ...rest } = options;
    if (otherIndex === undefined) rmSync(`${index}.lock`, { force: true });
    return runGit(args, {
      cwd: workTree ?? roots.root,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      timeoutMs: 600_000,
      ...rest,
      variables: {
        GIT_DIR: gitDir,
        GIT_WORK_TREE: workTree ?? roots.root,
        GIT_INDEX_FILE: otherIndex ?? index,
        LC_ALL: 'C',
      },
    });
  };
  const git: Store['git'] = async (args, options) => {
    const result = await tryGit(args, options);
    if (result.exitCode === 0 && !result.truncated) return result.stdout;
    throw gitError(args, result);
  };
  return { roots, statePath, gitDir, git, tryGit };
}

/** Called before each scan of the files: the repository's own list of ignored names may have changed. */
export function writeExcludes({ gitDir, statePath, roots }: Pick<Store, 'gitDir' | 'statePath' | 'roots'>): void {
  const inside = path.relative(roots.root, statePath);
  const own = inside.startsWith('..') || path.isAbsolute(inside) ? [] : [`/${escapePattern(inside)}/`];
  const text = `${readExcludes(roots.excludeFile)}\n${[...NEVER_STORED, ...own].join('\n')}\n`;
  const file = path.join(gitDir, 'info/exclude');
  if (!existsSync(file) || readFileSync(file, 'latin1') !== text) writeFileSync(file, text, 'latin1');
}

const REFUSALS: ReadonlyArray<readonly [RegExp, ConstructorParameters<typeof UndoError>[0], string]> = [
  [/No space left|quota exceeded/i, 'no_space', 'the disk is full: free some space, then try again'],
  [/Read-only file system|Permission denied/i, 'permission', 'the store or a file may not be accessed'],
  [
    /bad (?:object|tree)|unable to read|not a tree|missing|corrupt|invalid object/i,
    'damaged',
    'a snapshot is damaged: choose another one',
  ],
];

export function gitError(args: ReadonlyArray<string>, result: GitResult): UndoError {
  const command = `git ${args[0] ?? ''}`;
  if (result.failure === 'not_installed') return new UndoError('no_git', `Undo needs git: ${result.stderr}`);
  if (result.failure === 'timeout' || result.failure === 'aborted') return new UndoError(result.failure, result.stderr);
  const said = result.truncated ? 'more output than fits' : result.stderr.trim();
  const [, code, text] = REFUSALS.find(([pattern]) => pattern.test(said)) ?? [null, 'failed', 'git refused'];
  return new UndoError(code, `Undo is not possible: ${text} (${command}: ${said}).`);
}

function layOut(gitDir: string): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'info']) {
    mkdirSync(path.join(gitDir, folder), { recursive: true, mode: 0o700 });
  }
  chmodSync(gitDir, 0o700);
  const files = { config: CONFIG, 'info/attributes': ATTRIBUTES, HEAD: 'ref: refs/heads/undo\n' };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(gitDir, name);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text, { mode: 0o600 });
  }
}

function escapePattern(name: string): string {
  return Buffer.from(name.replaceAll(/[\\*?[\]! #]/g, '\\$&')).toString('latin1');
}
