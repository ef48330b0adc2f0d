import type { ShellPart } from '@attractor/shell';
import { type Steering, steeringOf, type Variables } from '@attractor/system';

/** The variables of a command that programs obey beyond their words. `folders`: those of the workspace, as they really are. */
export function steeringIn(variables: Variables, folders: ReadonlyArray<string>): ReadonlyArray<Steering> {
  const known = seen.get(variables);
  const key = folders.join('\n');
  if (known?.key === key) return known.steering;
  const steering = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : (steeringOf(name, value, folders) ?? []),
  );
  seen.set(variables, { key, steering });
  return steering;
}

/** Most commands are judged with the same variables. */
const seen = new WeakMap<Variables, { readonly key: string; readonly steering: ReadonlyArray<Steering> }>();

/** Why a part that only reads or edits by its words may do more; undefined if no variable says so. Other parts ask anyway. */
export function whySteered({ effect, argv, words }: ShellPart, steering: ReadonlyArray<Steering>): string | undefined {
  if (steering.length === 0 || !JUDGED_BY_WORDS.has(effect)) return undefined;
  const names = (argv ?? words ?? []).map((word) => word.slice(word.lastIndexOf('/') + 1));
  const found = steering.find(({ programs }) => programs === null || names.some((name) => programs.has(name)));
  return found === undefined ? undefined : `the variable ${found.name} may make it run something else`;
}

const JUDGED_BY_WORDS: ReadonlySet<ShellPart['effect']> = new Set(['read', 'guarded', 'edit']);
