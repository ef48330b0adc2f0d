export type Keyed<Item> = { readonly key: string; readonly item: Item };

/** For a row that never changes its order: each is known by its place. */
export function keyed<Item>(items: ReadonlyArray<Item>): ReadonlyArray<Keyed<Item>> {
  return items.map((item, at) => ({ key: String(at), item }));
}
