import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const MAX_BYTES = 256 << 10;

/**
 * The files that a script loads or runs by a path that it spells out, as absolute paths: `source ./x`, `bash x.sh`, `./x`, and
 * `"$(dirname "$0")/x"` in shells and makefiles; `require('./x')`, `import './x'` and `new URL('./x', …)` in JavaScript; modules beside a
 * Python file; files that scripts of a `package.json` name. Paths that are put together otherwise are not known.
 */
export function loadedBy(file: string, folders: ReadonlyArray<string>): ReadonlyArray<string> {
  const text = textOf(file);
  if (text === null) return [];
  const beside = path.dirname(file);
  const kind = kindOf(file, text);
  if (kind === 'shell') return fromShell(text).flatMap((name) => found([beside, ...folders], name, ['']));
  if (kind === 'package') return fromShell(scriptsOf(text)).flatMap((name) => found([beside], name, ['']));
  if (kind === 'javascript') return all(text, JAVASCRIPT).flatMap((name) => found([beside], name, ENDINGS));
  if (kind === 'python')
    return modulesOf(text).flatMap((name) =>
      found([beside, ...folders], name.replace(/^\.+/, '').replaceAll('.', '/'), MODULES),
    );
  return [];
}

type Kind = 'shell' | 'package' | 'javascript' | 'python' | null;

function kindOf(file: string, text: string): Kind {
  const name = path.basename(file);
  if (name === 'package.json') return 'package';
  if (/^(?:GNU)?[mM]akefile$|^\.?[jJ]ustfile$|\.(?:sh|bash|zsh|ksh|mk)$/.test(name)) return 'shell';
  if (/\.[cm]?[jt]sx?$/.test(name)) return 'javascript';
  if (name.endsWith('.py')) return 'python';
  const [, program = ''] = /^#!\s*\S*?(?:env\s+(?:-\S+\s+)*)?([\w.-]+)\s*(?:\n|$|\s)/.exec(text) ?? [];
  if (/(?:^|\/)?(?:ba|z|k|da)?sh$/.test(program)) return 'shell';
  if (/^(?:node|deno|bun|tsx)/.test(program)) return 'javascript';
  return program.startsWith('python') ? 'python' : null;
}

const JAVASCRIPT =
  /(?:\bfrom|\bimport|\brequire(?:\.resolve)?\s*\(|\bimport\s*\(|\bURL\s*\(|\b(?:fork|spawn|spawnSync|execFile|execFileSync)\s*\([^'"`)]*)\s*['"`](\.{1,2}\/[^'"`\n]+)['"`]/g;
const PYTHON = /^[ \t]*(?:from|import)[ \t]+(\.*[\w.]+)/gm;
const FROM = /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+\(?([\w, \t\n]+)/gm;
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.json', '/index.js', '/index.mjs', '/index.cjs', '/index.ts'];
const MODULES = ['.py', '/__init__.py'];

/** A word after a name that loads or runs files, or one that is a path itself where a command stands. */
const LOADS =
  /(?:^|[\s;&|({`"'=@])(?:source|\.|bash|sh|zsh|dash|ksh|node|deno run|bun|tsx|python3?|ruby|perl|exec|make -f)[ \t]+(?:-[\w-]+[ \t]+)*(\S+)/gm;
const RUNS =
  /(?:^|[;&|({`@]|\$\(|\b(?:then|do|else|exec|time|env|if|while)\b)[ \t]*["']?((?:\.{1,2}|\$\{?\w+\}?|\$\([^)]*\))\/[^\s;&|)"'`]+)/gm;

function fromShell(text: string): ReadonlyArray<string> {
  const plain = text.replaceAll(/\\\n/g, ' ').replaceAll(/^\s*#.*$/gm, '');
  // `$(dirname "$0")/x` and `${DIR}/x`: which folder that is, is guessed.
  const unfolded = plain.replaceAll(/\$\((?:[^()]|\([^()]*\))*\)\//g, './').replaceAll(/\$\{[^}]*\}\/|\$\w+\//g, './');
  return [...all(unfolded, LOADS), ...all(unfolded, RUNS)].map((word) => word.replaceAll(/["'`;)]/g, ''));
}

/** Of `from a import b` both `a` and `a.b`: either may be a file. */
function modulesOf(text: string): ReadonlyArray<string> {
  const members = Array.from(text.matchAll(FROM), ([, from = '', names = '']) =>
    names.split(/[\s,]+/).flatMap((name) => (name === '' ? [] : [`${from}.${name}`])),
  );
  return [...all(text, PYTHON), ...members.flat()];
}

function all(text: string, pattern: RegExp): ReadonlyArray<string> {
  return Array.from(text.matchAll(pattern), ([, name = '']) => name).filter((name) => name !== '');
}

function scriptsOf(text: string): string {
  const [, scripts = ''] = /"scripts"\s*:\s*\{([^}]*)\}/.exec(text) ?? [];
  return all(scripts, /:\s*"((?:[^"\\]|\\.)*)"/g).join('\n');
}

/** Every file that could be meant: which one a program takes may change when another appears. */
function found(folders: ReadonlyArray<string>, name: string, endings: ReadonlyArray<string>): ReadonlyArray<string> {
  if (name.includes('\0') || /[*?[$]/.test(name)) return [];
  return folders.flatMap((folder) => endings.map((ending) => path.resolve(folder, name + ending)).filter(isFile));
}

function isFile(file: string): boolean {
  return existsSync(file) && statSync(file).isFile();
}

function textOf(file: string): string | null {
  try {
    return statSync(file).size > MAX_BYTES ? null : readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
