import type { Assignment } from 'unbash';
import { expandWord, type Scope, type ExpandedWord } from './words.ts';

/** Variables whose value is known at a place in the script. Every other value is only known at run time. */
export type Bindings = ReadonlyMap<string, ExpandedWord>;

/** The one word that an assignment gives its variable; null if that is only known at run time. */
export function assignedValue(node: Assignment, scope: Scope): ExpandedWord | null {
  if (node.value.type !== 'Word' || node.index !== undefined || node.append === true) return null;
  const [value, ...others] = expandWord(node.value, scope);
  if (value === undefined || others.length > 0 || value.glob) return null;
  if (value.known) return value;
  return value.inert === true && value.shape !== undefined && value.shape !== 'pipe' ? { ...value, many: false } : null;
}

export function rebind(bindings: Bindings, name: string, value: ExpandedWord | null): Bindings {
  const changed = new Map(bindings);
  if (value === null) changed.delete(name);
  else changed.set(name, value);
  return changed;
}

/** What is known whichever of the two happened. */
export function sharedBindings(left: Bindings, right: Bindings): Bindings {
  if (left === right) return left;
  return new Map([...left].filter(([name, value]) => isSame(value, right.get(name))));
}

/** Whether everything that was known before is still true, except for one name. */
export function stillHolds(before: Bindings, after: Bindings, except: string): boolean {
  return [...before].every(([name, value]) => name === except || isSame(value, after.get(name)));
}

function isSame(left: ExpandedWord, right: ExpandedWord | undefined): boolean {
  return (
    right !== undefined &&
    left.text === right.text &&
    left.known === right.known &&
    left.glob === right.glob &&
    left.shape === right.shape
  );
}

/** Whether a script may use this name for itself: neither a shell nor a program that reads files obeys it. */
export function isOwnName(name: string): boolean {
  if (USUAL.has(name)) return true;
  return /^[a-z]\w*$/.test(name) && !OBEYED.has(name) && !name.endsWith('proxy') && !FAMILIES.test(name);
}

/** Programs that look for their settings among the variables by how these begin, in whatever case. */
const FAMILIES = /^(?:npm|pnpm|yarn|corepack|bun|rvm|gem|bundle|git|pip|uv|cargo|mise|asdf)_/i;

/** Lower-case variables that a shell obeys: bash's two, and those that zsh ties to PATH and its like. */
const OBEYED: ReadonlySet<string> = new Set(
  'histchars auto_resume path fpath cdpath manpath mailpath module_path fignore psvar prompt watch argv status'.split(
    ' ',
  ),
);

/** Shells and programs use many of the other names, so only everyday ones are allowed. */
const USUAL: ReadonlySet<string> = new Set(
  'A B BAR BASE BAZ BRANCH COUNT D DIR DIRS END F FILE FILES FOO N NAME P PAT PATTERN PKG QUERY ROOT SRC START T TARGET X Y'.split(
    ' ',
  ),
);
