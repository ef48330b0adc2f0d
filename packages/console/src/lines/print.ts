export type Output = {
  /** `json`: the API's shapes, one object per line. `quiet`: ids only. */
  readonly mode: 'people' | 'json' | 'quiet';
  readonly write: (text: string) => void;
  /** Looks up the keys of what was shown by its id. True: lines for people have to be made again. */
  readonly learnKeys?: () => Promise<boolean>;
};

type Printed = {
  readonly value: unknown;
  readonly lines: () => ReadonlyArray<string>;
  readonly ids?: () => ReadonlyArray<string>;
};

/** A list is one object per line, so that a script can read while it arrives. */
export async function print(output: Output, { value, lines, ids }: Printed): Promise<void> {
  const shown: Readonly<Record<Output['mode'], () => ReadonlyArray<string> | Promise<ReadonlyArray<string>>>> = {
    people: () => linesWithKeys(output, lines),
    json: () => (Array.isArray(value) ? value : [value]).map((item: unknown) => JSON.stringify(item)),
    quiet: ids ?? (() => (Array.isArray(value) ? value : [value]).flatMap(idOf)),
  };
  for (const line of await shown[output.mode]()) output.write(`${line}\n`);
}

async function linesWithKeys({ learnKeys }: Output, lines: Printed['lines']): Promise<ReadonlyArray<string>> {
  const first = lines();
  return (await learnKeys?.()) === true ? lines() : first;
}

function idOf(value: unknown): ReadonlyArray<string> {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? [value.id] : [];
}
