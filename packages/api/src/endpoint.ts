export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `POST /api/tasks/:id/notes`: what a call requests, stated once for the client and the route. */
export type Endpoint = `${Method} /${string}`;

/** The names of the `:name` places of an endpoint. */
export type PlacesOf<At extends string> = At extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PlacesOf<Rest>
  : At extends `${string}:${infer Name}`
    ? Name
    : never;

export function readEndpoint(endpoint: Endpoint): { readonly method: Method; readonly path: string } {
  const space = endpoint.indexOf(' ');
  return { method: endpoint.slice(0, space) as Method, path: endpoint.slice(space + 1) };
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** Fills `:name` places of a path with encoded values and adds the query's defined entries. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}, query: Query = {}): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}
