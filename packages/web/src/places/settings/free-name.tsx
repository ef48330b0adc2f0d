import type { Failure } from '@attractor/api';
import { typeset } from '@attractor/api/shown';
import type { ComponentProps } from 'react';
import { TextField } from '../../ui/field.tsx';

type Known = {
  /** What is expected of a name and this one is not; null: nothing. */
  readonly expectedOf: (name: string) => string | null;
  /** Those that there are already. */
  readonly taken: ReadonlyArray<string>;
};

type FreeNameProps = Omit<ComponentProps<typeof TextField>, 'problem'> & {
  readonly known: Known;
  /** Why the server did not take what is written here. */
  readonly refused: Failure | null;
};

/** For a name that nobody has yet: whatever is wrong with it is said beside it, before it is sent if that is known. */
export function FreeName({ known, refused, value, ...rest }: FreeNameProps) {
  const problem = problemOf(value, known) ?? (refused === null ? null : typeset(refused.message));
  return (
    <TextField
      {...rest}
      value={value}
      {...(problem === null ? {} : { problem: <span role={refused === null ? 'status' : 'alert'}>{problem}</span> })}
    />
  );
}

/** Whether it can be sent as it is. */
export function isFree(name: string, known: Known): boolean {
  return name.trim() !== '' && problemOf(name, known) === null;
}

function problemOf(value: string, { expectedOf, taken }: Known): string | null {
  const name = value.trim();
  if (name === '') return null;
  const expected = expectedOf(name);
  if (expected !== null) return `Expected ${expected}.`;
  return taken.includes(name) ? `There is a “${name}” already.` : null;
}
