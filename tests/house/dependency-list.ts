import { type Tree, type Violation, packageOf } from './tree.ts';

const LIST = 'docs/decisions/dependencies.md';
const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
const ROW = /^\| `([^`]+)` +\| (\S+) +\| ([^|]+) \| ([^|]*) \|$/gm;

type Manifest = Partial<Record<(typeof SECTIONS)[number], Record<string, string>>>;

/** The list of dependencies has each one's version, user and reason; it and the manifests agree, both ways. */
export function dependencyList(tree: Tree): Violation[] {
  const listed = listedUses(tree);
  const used = manifestUses(tree);
  return [
    ...[...used]
      .filter(([use]) => !listed.has(use))
      .map(([use, file]) => ({ file, message: `uses ${use}, which ${LIST} does not list` })),
    ...[...listed]
      .filter(([use]) => !used.has(use))
      .map(([use]) => ({ file: LIST, message: `lists ${use}, which no package.json has` })),
    ...[...listed]
      .filter(([, why]) => why === '')
      .map(([use]) => ({ file: LIST, message: `does not say why ${use} is there` })),
  ];
}

/** `name@version in package` → why */
function listedUses(tree: Tree): Map<string, string> {
  const text = tree.files.includes(LIST) ? tree.read(LIST) : '';
  return new Map(
    [...text.matchAll(ROW)].flatMap(([, name, version, places = '', why = '']) =>
      places.split(',').map((place): [string, string] => [`${name}@${version} in ${place.trim()}`, why.trim()]),
    ),
  );
}

/** `name@version in package` → the manifest that has it */
function manifestUses(tree: Tree): Map<string, string> {
  const manifests = tree.files.filter((file) => /^(packages\/[^/]+\/)?package\.json$/.test(file));
  return new Map(
    manifests.flatMap((file) => {
      const manifest: Manifest = JSON.parse(tree.read(file));
      const all = SECTIONS.flatMap((section) => Object.entries(manifest[section] ?? {}));
      const foreign = all.filter(([name]) => !name.startsWith('@attractor/'));
      return foreign.map(([name, version]): [string, string] => [
        `${name}@${version} in ${packageOf(file) ?? 'root'}`,
        file,
      ]);
    }),
  );
}
