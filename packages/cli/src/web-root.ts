import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the built web app is, relative to a chunk of the bundle, to the bundle itself, and to the sources. */
const PLACES = ['../web', './web', '../../web/dist'];

/** Null if the web app is not built; the server then serves the API alone. */
export function findWebRoot(from: string = import.meta.dirname): string | null {
  const found = PLACES.map((place) => join(from, place)).find((place) => existsSync(join(place, 'index.html')));
  return found ?? null;
}
