import { type InnerImport, innerImports } from './inner-imports.ts';
import { LAYERS } from './layers.ts';
import { type Tree, type Violation, isProduct, packageOf } from './tree.ts';

/** Imports also go down only inside a package: a room imports from rooms of lower layers, types included. */
export function roomLayers(tree: Tree): Violation[] {
  const imports = innerImports(tree);
  return [...imports.keys()].flatMap((name) => {
    const floors = floorsOf(name);
    return [
      ...unlisted(tree, name, floors),
      ...(imports.get(name) ?? []).flatMap((one) => refusal(name, floors, one) ?? []),
    ];
  });
}

/** The room of a file: the folder under `src` or, for a file directly in `src`, its name. */
function roomOf(file: string): string {
  const [, , , room = ''] = file.split('/');
  return room.replace(/\.\w+$/, '');
}

function floorsOf(name: string): ReadonlyMap<string, number> {
  return new Map(
    (LAYERS[name] ?? []).flatMap((rooms, floor) => rooms.split(' ').map((room) => [room, floor] as const)),
  );
}

/** Files that only export, compose or test are above every room. */
function floorOf(file: string, floors: ReadonlyMap<string, number>): number {
  return floors.get(roomOf(file)) ?? Infinity;
}

function unlisted(tree: Tree, name: string, floors: ReadonlyMap<string, number>): Violation[] {
  const inRooms = tree.files.filter(
    (file) => packageOf(file) === name && isProduct(file) && file.split('/').length > 4 && roomOf(file) !== 'testing',
  );
  const rooms = new Set(inRooms.map(roomOf));
  const missing = [...rooms].filter((room) => !floors.has(room));
  const gone = [...floors.keys()].filter(
    (room) => !tree.files.some((file) => file.startsWith(`packages/${name}/`) && roomOf(file) === room),
  );
  return [
    ...missing.map((room) => `the room ${room} has no layer: give it one in tests/house/layers.ts`),
    ...gone.map((room) => `tests/house/layers.ts lists the room ${room}, which is not there`),
  ].map((message) => ({ file: `packages/${name}/src`, message }));
}

function refusal(name: string, floors: ReadonlyMap<string, number>, { from, to, line }: InnerImport): Violation | null {
  const [upper, lower] = [roomOf(from), roomOf(to)];
  if (upper === lower || floorOf(from, floors) > floorOf(to, floors)) return null;
  if (floorOf(from, floors) === Infinity && !floors.has(lower)) return null;
  const message = `${name}: the room ${upper} must not import from ${lower}, which stands ${
    floorOf(from, floors) === floorOf(to, floors) ? 'beside' : 'above'
  } it: imports go down only`;
  return { file: from, line, message };
}
