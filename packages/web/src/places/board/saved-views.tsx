import { Bookmark } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useKept } from '../../data/kept.ts';
import { Menu } from '../../ui/menu.tsx';
import { readViews, type SavedView, showControls, withView } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { late } from '../../data/late.ts';

const NameView = late(() => import('./name-view.tsx').then((part) => part.NameView));

/** Filters and layouts that this browser remembers by a name; what a view is stands in its address. */
export function SavedViews() {
  const [kept, keep] = useKept('board-views');
  const [isNaming, setNaming] = useState(false);
  const [, navigate] = useLocation();
  const search = useSearch();
  const views = readViews(kept);
  const write = (next: ReadonlyArray<SavedView>) => keep(next.length === 0 ? null : JSON.stringify(next));
  const forget = (view: SavedView) => {
    write(views.filter(({ name }) => name !== view.name));
    toast(showControls(`View ${view.name} forgotten`), { undo: () => write(withView(views, view)) });
  };
  return (
    <>
      <Menu
        label="Saved views"
        items={[
          ...views.map((view) => ({
            id: `show ${view.name}`,
            label: showControls(view.name),
            isChosen: view.search === search,
            onChoose: () => navigate(view.search === '' ? '/board' : `/board?${view.search}`),
          })),
          { id: 'save', label: 'Save this view', onChoose: () => setNaming(true) },
          ...views.map((view) => ({
            id: `forget ${view.name}`,
            label: showControls(`Forget ${view.name}`),
            onChoose: () => forget(view),
          })),
        ]}
      >
        <Bookmark size={14} aria-hidden /> Views
      </Menu>
      {isNaming ? (
        <Suspense fallback={null}>
          <NameView
            onClose={() => setNaming(false)}
            onName={(name) => {
              write(withView(views, { name, search }));
              setNaming(false);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
