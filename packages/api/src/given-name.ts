import { expectedOfName } from '@attractor/base';
import { z } from 'zod';

/** A name that a person gives now. One that was given before is shown as it is. */
export function givenName(longest: number) {
  return z
    .string()
    .trim()
    .superRefine((name, context) => {
      const expected = expectedOfName(name, longest);
      if (expected !== null) context.addIssue({ code: 'custom', message: `expected ${expected}` });
    })
    .meta({ minLength: 1, maxLength: longest });
}
