/**
 * The fields that have a value, in order: an optional field is absent, never `undefined`. They are added one by one: an object from which
 * fields were deleted is a dictionary to V8, slow to read and to write as JSON for as long as it lives.
 */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const kept: { [Name in keyof Fields]?: Fields[Name] } = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as Defined<Fields>;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
