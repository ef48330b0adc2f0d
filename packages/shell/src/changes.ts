import { PROTECTED_NAMES } from '@attractor/confine';
import { writtenBy } from './destructive/writes.ts';
import { kernelPath } from './kernel-path.ts';
import { belowRoot, isOwn, type PathContext } from './paths.ts';
import type { Call } from './reads/arguments.ts';
import { isSecretName } from './secret-names.ts';
import type { ExpandedWord } from './words.ts';

/** Whether a command is an ordinary change inside the workspace: its own files, its build, its tests, its own branch. */
export function isOrdinaryChange(call: Call): boolean {
  if (call.words.some(({ known }) => !known)) return false;
  if (FILE_CHANGES.has(call.name))
    return (
      call.words.every((word) => word.text.startsWith('-') || isOwnFile(word, call)) &&
      writtenBy(call.name, call.words).length > 0
    );
  const tool = Object.hasOwn(PROJECT_TOOLS, call.name) ? PROJECT_TOOLS[call.name] : undefined;
  return tool !== undefined && !call.moved && tool.test(call.words.map(({ text }) => text).join(' '));
}

/** Whether a written path is in the workspace and no later program obeys it. */
export function isOwnFile(
  word: ExpandedWord,
  { cwds, pathContext }: { readonly cwds: ReadonlyArray<string>; readonly pathContext: PathContext },
): boolean {
  if (!word.known || word.glob || cwds.length === 0) return false;
  return cwds.every((cwd) => {
    const path = kernelPath(word.text, cwd, pathContext.disk);
    if (path === null) return false;
    const below = belowRoot(path, pathContext).split('/');
    return (
      !pathContext.roots.includes(path) &&
      isOwn(path, pathContext) &&
      !below.some((name) => PROTECTED_NAMES.has(name.toLowerCase()) || isSecretName(name))
    );
  });
}

const FILE_CHANGES: ReadonlySet<string> = new Set([
  'cp',
  'mkdir',
  'mv',
  'rm',
  'rmdir',
  'tee',
  'touch',
  'truncate',
  'unlink',
]);

/** What follows the name, for tools that run the project's own code. Forms that fetch, publish or take code as text are left out. */
const PROJECT_TOOLS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:test|t|start|run(?:-script)? [\w:.-]+|ci|install|i)(?: |$)/,
  pnpm: /^(?:test|t|start|run [\w:.-]+|install|i)(?: |$)/,
  yarn: /^(?:$|test|run [\w:.-]+|install)(?: |$)/,
  bun: /^(?:test|run [\w:./-]+|install)(?: |$)/,
  npx: /^(?:tsc|eslint|prettier|vitest|jest|oxlint|biome)(?: |$)/,
  tsc: /^/,
  eslint: /^/,
  prettier: /^/,
  jest: /^/,
  vitest: /^/,
  mocha: /^/,
  pytest: /^/,
  ruff: /^/,
  mypy: /^/,
  black: /^/,
  make: /^[\w ./-]*$/,
  cargo: /^(?:build|test|check|clippy|fmt|run|bench|doc)(?: |$)/,
  go: /^(?:build|test|vet|fmt|run)(?: |$)/,
  gradle: /^[\w :-]*$/,
  mvn: /^(?:compile|test|package|verify)(?: |$)/,
  node: /^[\w./-]+\.[cm]?[jt]s(?: |$)/,
  python: /^[\w./-]+\.py(?: |$)/,
  python3: /^[\w./-]+\.py(?: |$)/,
  git: /^(?:add|commit|checkout|switch|restore|stash|merge|branch|tag|mv|rm|cherry-pick|revert|apply)(?: (?!--(?:exec|upload-pack|receive-pack|output|ext-diff)))*(?! .*--(?:exec|upload-pack|receive-pack|output|no-verify))/,
};
