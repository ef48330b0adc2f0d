import type { ReactNode } from 'react';

/** Every state a part can be in; light, dark and the width of a phone are ways to look at all of them. */
export const STATES = [
  'default',
  'hover',
  'focus',
  'pressed',
  'disabled',
  'busy',
  'error',
  'empty',
  'long',
  'hostile',
] as const;

export type StateName = (typeof STATES)[number];

/** A part shows a state, or says why it has none. */
export type Example = ReactNode | { readonly none: string };

export type Part = {
  /** As it is exported, and from where. */
  readonly of: string;
  readonly from: string;
  readonly states: Readonly<Record<StateName, Example>>;
};

export function isNone(example: Example): example is { readonly none: string } {
  return typeof example === 'object' && example !== null && 'none' in example;
}

export const none = (why: string) => ({ none: why });

/** What a pointer and the keys do to it, standing still: what is written for that state holds inside `data-look`. */
export function acted(part: ReactNode): Pick<Part['states'], 'default' | 'hover' | 'focus' | 'pressed'> {
  return {
    default: part,
    hover: <div data-look="hover">{part}</div>,
    focus: <div data-look="focus">{part}</div>,
    pressed: <div data-look="active">{part}</div>,
  };
}

const READ = none('It is read, not acted on.');
/** For what nobody can act on. */
export const STILL = {
  hover: READ,
  focus: READ,
  pressed: READ,
  disabled: READ,
  busy: READ,
} as const;

export const NO_ERROR = { error: none('A refusal stands beside it, as Refused.') } as const;
export const NO_WORDS = {
  long: none('It shows no words of its own.'),
  hostile: none('It shows no words of its own.'),
} as const;

export const FAILURE = {
  code: 'blocked',
  message: 'A check is still running: wait for it, or stop it.',
  retryable: false,
} as const;
export const NOTHING = () => undefined;

/** Long words between short ones, and one that no line can hold. */
export const LONG =
  'Replace every caller of the importer that expects a whole array, in src/import/readers/delimited-text-with-headers.ts and averyveryveryveryveryveryveryveryverylongnamewithoutanyplacetobreakit';

/** Markup, a reversed order, hidden letters, a bell and a colour of a terminal. */
export const HOSTILE =
  '<img src=x onerror=alert(1)> \u202egnp.exe\u202c zero\u200bwidth \u0007 \u001b[31mred</script><!-- ';
