/** The fields that have a value, in order: an optional field is absent, never `undefined`. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const kept: Defined<Fields> = { ...fields };
  for (const name in kept) if (kept[name] === undefined) delete kept[name];
  return kept;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
