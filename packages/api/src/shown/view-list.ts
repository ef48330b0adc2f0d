export type SavedView = { readonly name: string; readonly search: string };

/** What the browser kept; whatever is no view is left out. */
export function readViews(kept: string | null): ReadonlyArray<SavedView> {
  try {
    const read: unknown = JSON.parse(kept ?? '[]');
    return Array.isArray(read) ? read.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('search' in value)) return false;
  return typeof value.name === 'string' && typeof value.search === 'string';
}

/** A name stands for one view: the newer one replaces the older. */
export function withView(views: ReadonlyArray<SavedView>, view: SavedView): ReadonlyArray<SavedView> {
  return [...views.filter(({ name }) => name !== view.name), view].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
