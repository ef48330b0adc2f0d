import { expectedOfName } from '@attractor/base';
import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';

type NameFieldProps = Omit<ComponentProps<typeof TextField>, 'problem'> & { readonly longest: number };

/** For a name that somebody gives now: what is wrong with it is said before it is sent. */
export function NameField({ longest, value, ...rest }: NameFieldProps) {
  const expected = value === '' ? null : expectedOfName(value, longest);
  return <TextField {...rest} value={value} {...(expected === null ? {} : { problem: `Expected ${expected}.` })} />;
}
