import { FLOORS, MAY_USE_SIMULATOR, ONLY_FROM, SIMULATOR, TYPES_ONLY } from './import-direction.ts';
import type { Tree, Violation } from './tree.ts';

/** The page that shows the floors: the first fenced block under the heading is the picture. */
export const PAGE = 'AGENTS.md';
const PICTURE = /(?<=^## Floors\n(?:(?!^#)[^])*?^```\n)[^]*?(?=^```$)/m;

/** The picture in the contributors' map is drawn from the table that imports are checked against. */
export function floorsPicture(tree: Tree): Violation[] {
  const page = tree.read(PAGE);
  if (!PICTURE.test(page)) return [{ file: PAGE, message: 'has no fenced picture under "## Floors"' }];
  if (withPicture(page) === page) return [];
  return [{ file: PAGE, message: 'shows other floors than tests/house/import-direction.ts: run `npm run docs`' }];
}

/** The page with the correct picture. */
export function withPicture(page: string): string {
  return page.replace(PICTURE, drawFloors());
}

function drawFloors(): string {
  const numbers = [...new Set(Object.values(FLOORS))].toSorted((one, other) => other - one);
  const width = String(numbers[0]).length;
  const lines = numbers.map((number) => `${String(number).padStart(width)}   ${packagesOn(number).join(' · ')}`);
  return [...lines, besideTheHouse(), ''].join('\n');
}

function packagesOn(floor: number): string[] {
  const names = Object.keys(FLOORS).filter((name) => FLOORS[name] === floor);
  return names.map((name) => [name, ...notesOn(name)].join(' '));
}

function notesOn(name: string): string[] {
  const sources = ONLY_FROM[name];
  return [
    ...(sources === undefined ? [] : [`(→ ${sources.join(', ')} only)`]),
    ...(TYPES_ONLY.has(name) ? ['(browser-safe: only types from below)'] : []),
  ];
}

function besideTheHouse(): string {
  const users = [...MAY_USE_SIMULATOR, 'tests', 'examples', 'bench'].join(', ');
  return `beside: ${SIMULATOR} (imports none of ours; used by ${users})`;
}
