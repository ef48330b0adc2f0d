import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useKept } from '../../data/kept.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Overlay } from '../../ui/overlay.tsx';
import { showControls } from '../../ui/plain-text.ts';
import { toast } from '../../ui/toast.tsx';
import { readViews, type SavedView, withView } from './view-list.ts';

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
        <NameView
          onClose={() => setNaming(false)}
          onName={(name) => {
            write(withView(views, { name, search }));
            setNaming(false);
          }}
        />
      ) : null}
    </>
  );
}

type NameViewProps = { readonly onClose: () => void; readonly onName: (name: string) => void };

function NameView({ onClose, onName }: NameViewProps) {
  const [name, setName] = useState('');
  return (
    <Overlay title="Save this view" onClose={onClose}>
      <form
        className="flex items-end gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          onName(name.trim());
        }}
      >
        <div className="min-w-0 flex-1">
          <TextField label="Name" value={name} maxLength={60} onChange={setName} />
        </div>
        <Button kind="primary" type="submit" disabled={name.trim() === ''}>
          Save
        </Button>
      </form>
    </Overlay>
  );
}
