import type { CatalogOverrides } from './overrides.ts';

/** Where a person's own rows of the table come from; null if there are none. Called when a model is first looked up. */
export type CatalogSource = () => CatalogOverrides | null;

let source: CatalogSource | undefined;
let asked = 0;

/** For the owner of the process: from now on these rows count. Absent: only those that come with the program. */
export function setCatalogSource(next?: CatalogSource): void {
  source = next;
  asked += 1;
}

/** The source, and a number that another one changes. */
export function catalogSource(): { readonly read: CatalogSource | undefined; readonly version: number } {
  return { read: source, version: asked };
}
