type Query = Readonly<Record<string, string | number | undefined>>;

/** Fills `:name` places of a route with encoded values and adds the query's defined entries. */
export function fillPath(route: string, places: Readonly<Record<string, string>> = {}, query: Query = {}): string {
  const path = route.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(places[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}
