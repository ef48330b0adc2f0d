import { covers, type Role } from '@attractor/api';
import {
  Bot,
  ChartNoAxesColumn,
  CircleDollarSign,
  Columns3,
  FolderGit2,
  Inbox,
  type LucideIcon,
  MessagesSquare,
  Settings,
  Workflow,
} from 'lucide-react';

/** A place of the app, as the rail, the tab bar of a phone, the palette and the keys know it. */
type RailPlace = {
  readonly name: string;
  readonly path: string;
  readonly icon: LucideIcon;
  /** After `G`. */
  readonly letter: string;
  /** Who may look at it; absent: everybody. */
  readonly least?: Role;
  /** On a phone it has a tab; the others are under More. */
  readonly hasTab?: true;
};

const RAIL_PLACES: ReadonlyArray<RailPlace> = [
  { name: 'Inbox', path: '/', icon: Inbox, letter: 'i', hasTab: true },
  { name: 'Board', path: '/board', icon: Columns3, letter: 'b', hasTab: true },
  { name: 'Pipelines', path: '/pipelines', icon: Workflow, letter: 'p' },
  { name: 'Costs', path: '/costs', icon: CircleDollarSign, letter: 'c', hasTab: true },
  { name: 'Insights', path: '/insights', icon: ChartNoAxesColumn, letter: 'n' },
  { name: 'Agents', path: '/agents', icon: Bot, letter: 'a' },
  { name: 'Sessions', path: '/sessions', icon: MessagesSquare, letter: 'e', least: 'admin' },
  { name: 'Projects', path: '/projects', icon: FolderGit2, letter: 'r' },
  { name: 'Settings', path: '/settings', icon: Settings, letter: 's' },
];

/** The places of those who have a role. */
export function placesFor(role: Role): ReadonlyArray<RailPlace> {
  return RAIL_PLACES.filter(({ least = 'viewer' }) => covers(role, least));
}

/** Whether the address is inside a place. */
export function isAt(path: string, location: string): boolean {
  return path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
}
