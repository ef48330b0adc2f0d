import { posix } from 'node:path';
import type { Call, ReadVerdict } from './arguments.ts';

/** How a program is asked for its version, and files of a project that make it, or what stands before it, run another one. */
type Asked = {
  readonly form: RegExp;
  readonly chosenBy?: ReadonlyArray<string>;
  /** A file elsewhere, or a program of this name that only chooses another, may redirect it: the system's own is needed. */
  readonly redirected?: boolean;
};

const MANAGED = ['.tool-versions', 'mise.toml', '.mise.toml'];
const VERSION = /^(?:--version|-v|-V)$/;
const COREPACK = [...MANAGED, 'package.json', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnp.cjs', '.pnp.js'];
const RUST = [...MANAGED, 'rust-toolchain', 'rust-toolchain.toml', '.cargo'];

const PROGRAMS: Readonly<Record<string, Asked>> = {
  npm: { form: /^(?:--version|-v)$/, chosenBy: [...MANAGED, '.npmrc'] },
  pnpm: { form: /^(?:--version|-v)$/, chosenBy: [...COREPACK, '.npmrc'], redirected: true },
  yarn: { form: /^(?:--version|-v)$/, chosenBy: COREPACK, redirected: true },
  pip: { form: /^(?:--version|-V)$/, chosenBy: MANAGED },
  pip3: { form: /^(?:--version|-V)$/, chosenBy: MANAGED },
  cargo: { form: /^(?:--version|-V)$/, chosenBy: RUST, redirected: true },
  rustc: { form: /^(?:--version|-V)$/, chosenBy: RUST, redirected: true },
  go: { form: /^version$/, chosenBy: [...MANAGED, 'go.mod', 'go.work'], redirected: true },
  java: { form: /^(?:--version|-version)$/, chosenBy: [...MANAGED, '.java-version', '.sdkmanrc'] },
  javac: { form: /^(?:--version|-version)$/, chosenBy: [...MANAGED, '.java-version', '.sdkmanrc'] },
  docker: { form: /^(?:--version|-v)$/ },
  gh: { form: /^--version$/ },
  curl: { form: /^(?:--version|-V)$/ },
  openssl: { form: /^version$/ },
  node: { form: VERSION, chosenBy: MANAGED },
  python: { form: VERSION, chosenBy: MANAGED },
  python3: { form: VERSION, chosenBy: MANAGED },
  ruby: { form: VERSION, chosenBy: MANAGED },
};

const BY_NAME: ReadonlyMap<string, Asked> = new Map(Object.entries(PROGRAMS));

/** Whether a call only asks a program for its version; null: it asks for more, or is another program. */
export function asksVersion({ name, words, cwds, pathContext: { disk } }: Call): ReadVerdict | null {
  const asked = BY_NAME.get(name);
  const word = words[0];
  if (asked === undefined || word === undefined || words.length > 1 || !word.known || word.glob) return null;
  if (!asked.form.test(word.text)) return null;
  const isSystem = cwds.every((cwd) => /^\/(?:usr\/(?:local\/)?)?bin\//.test(disk?.program(name, cwd)?.path ?? ''));
  if (asked.redirected === true && !isSystem) return { refused: `a file may choose which ${name} runs` };
  if (disk === null) return { reads: [] };
  const chooser = cwds
    .flatMap(foldersUp)
    .map((folder) => chooserIn(folder, asked))
    .find((one) => one !== null);
  return chooser === undefined || chooser === null
    ? { reads: [] }
    : { refused: `${chooser} may choose which ${name} runs` };

  function chooserIn(folder: string, { chosenBy = [] }: Asked): string | null {
    if (chosenBy.length === 0) return null;
    const names = new Set(disk?.list(folder)?.map((entry) => entry.name));
    const found = chosenBy.find((one) => names.has(one));
    return found === undefined ? null : posix.join(folder, found);
  }
}

function foldersUp(folder: string): ReadonlyArray<string> {
  const above = posix.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUp(above)];
}
