import { BUILT_IN } from './origin.ts';
import type { SettingEntry } from './source.ts';
import { SETTINGS, type SettingRow } from './setting-table.ts';

/** An effective setting: one entry, or the entries of a list or map; none if nobody set it and there is no default. */
export type EffectiveSetting = {
  readonly row: SettingRow;
  readonly entries: ReadonlyArray<SettingEntry>;
  /** The values of weaker scopes, strongest first. */
  readonly overridden: ReadonlyArray<SettingEntry>;
};

/** Layers, and the entries in each, weakest first. The answer has every setting of the table, in its order. */
export function mergeSettings(layers: ReadonlyArray<ReadonlyArray<SettingEntry>>): ReadonlyArray<EffectiveSetting> {
  const strongestFirst = layers.flat().toReversed();
  return SETTINGS.map((row) => {
    const said = strongestFirst.filter(({ name }) => name === row.name);
    const all = row.default === undefined ? said : [...said, builtIn(row)];
    return MERGES[row.merge](row, all);
  });
}

function builtIn(row: SettingRow): SettingEntry {
  return { name: row.name, key: null, value: row.default, origin: BUILT_IN };
}

type Merge = (row: SettingRow, strongestFirst: ReadonlyArray<SettingEntry>) => EffectiveSetting;

const MERGES: Readonly<Record<SettingRow['merge'], Merge>> = {
  replace: (row, all) => ({ row, entries: all.slice(0, 1), overridden: all.slice(1) }),
  concat: (row, all) => ({ row, entries: all.toReversed(), overridden: [] }),
  'by-key': (row, all) => {
    const first = new Map<string | null, SettingEntry>();
    for (const entry of all) if (!first.has(entry.key)) first.set(entry.key, entry);
    return {
      row,
      entries: [...first.values()].toReversed(),
      overridden: all.filter((entry) => first.get(entry.key) !== entry),
    };
  },
};
