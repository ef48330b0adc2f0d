import { type Command, InvalidArgumentError, Option } from 'commander';

/** One flag of a verb, as data. Without `<…>` in `flag` it is a switch. */
export type Flag = {
  /** As commander reads it: `--title <text>`. */
  readonly flag: string;
  readonly about: string;
  readonly choices?: ReadonlyArray<string>;
  /** May be given more than once; the value is a list. */
  readonly many?: true;
  readonly number?: true;
};

export function addFlag(command: Command, { flag, about, choices, many, number }: Flag): void {
  const option = new Option(flag, many === true ? `${about}; may be given more than once` : about);
  if (choices !== undefined) option.choices([...choices]);
  if (number === true) option.argParser(wholeNumber);
  if (many === true) option.argParser((value: string, before: unknown) => collect({ value, before, choices }));
  command.addOption(option);
}

/** The given flags by their long names; flags that were not given are absent. */
export type FlagValues = {
  readonly text: (name: string) => string | undefined;
  readonly number: (name: string) => number | undefined;
  readonly list: (name: string) => ReadonlyArray<string> | undefined;
  readonly has: (name: string) => boolean;
};

/** Names as commander gives them: `--base-url` is `baseUrl`. */
export function readFlags(values: Readonly<Record<string, unknown>>): FlagValues {
  return {
    text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
    number: (name) => (typeof values[name] === 'number' ? values[name] : undefined),
    list: (name) => {
      const value: unknown = values[name];
      return Array.isArray(value) ? value.map(String) : undefined;
    },
    has: (name) => values[name] === true,
  };
}

function collect(given: {
  readonly value: string;
  readonly before: unknown;
  readonly choices: ReadonlyArray<string> | undefined;
}): ReadonlyArray<string> {
  const { value, before, choices } = given;
  if (choices !== undefined && !choices.includes(value))
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  return [...(Array.isArray(before) ? before.map(String) : []), value];
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError(`expected a whole number of 0 or more, not '${text}'`);
  return value;
}

/** `--base-url <url>` is read as `baseUrl`. */
export function nameOfFlag(flag: string): string {
  return new Option(flag).attributeName();
}
