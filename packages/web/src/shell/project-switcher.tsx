import { ChevronsUpDown, FolderGit2 } from 'lucide-react';
import { useProject } from '../data/project.ts';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { showControls } from '@attractor/api/shown';

/** Narrows the whole app to a project; in the rail of a wide window. */
export function ProjectSwitcher() {
  const { chosen, items } = useProjectItems();
  return (
    <Menu label="Project" items={items} className="w-full justify-between! px-2!">
      <span className="truncate">{chosen ?? 'All projects'}</span>
      <ChevronsUpDown size={14} aria-hidden className="text-faint" />
    </Menu>
  );
}

/** The same on a phone, where there is something to choose. */
export function ProjectButton() {
  const { chosen, items } = useProjectItems();
  if (items.length < 3) return null;
  return (
    <Menu
      label={`Project: ${chosen ?? 'all'}`}
      isIcon
      kind={chosen === null ? 'quiet' : 'plain'}
      className="md:hidden"
      items={items}
    >
      <FolderGit2 size={18} aria-hidden />
    </Menu>
  );
}

function useProjectItems(): { readonly chosen: string | null; readonly items: ReadonlyArray<MenuItem> } {
  const { projectId, projects, choose } = useProject();
  const chosen = projects.find(({ id }) => id === projectId);
  const all = { id: 'all', label: 'All projects', isChosen: projectId === null, onChoose: () => choose(null) };
  const items = projects.map(({ id, name, path }) => ({
    id,
    label: showControls(name),
    hint: showControls(path),
    isChosen: id === projectId,
    onChoose: () => choose(id),
  }));
  return { chosen: chosen === undefined ? null : showControls(chosen.name), items: [all, ...items] };
}
