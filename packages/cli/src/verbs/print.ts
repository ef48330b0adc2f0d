export type Output = {
  /** `json`: the API's shapes, one object per line. `quiet`: ids only. */
  readonly mode: 'people' | 'json' | 'quiet';
  readonly write: (text: string) => void;
};

type Printed = {
  readonly value: unknown;
  readonly lines: () => ReadonlyArray<string>;
  readonly ids?: () => ReadonlyArray<string>;
};

/** A list is one object per line, so that a script can read while it arrives. */
export function print(output: Output, { value, lines, ids }: Printed): void {
  const shown: Readonly<Record<Output['mode'], () => ReadonlyArray<string>>> = {
    people: lines,
    json: () => (Array.isArray(value) ? value : [value]).map((item: unknown) => JSON.stringify(item)),
    quiet: ids ?? (() => (Array.isArray(value) ? value : [value]).flatMap(idOf)),
  };
  for (const line of shown[output.mode]()) output.write(`${line}\n`);
}

function idOf(value: unknown): ReadonlyArray<string> {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? [value.id] : [];
}
