import { importsOf } from './syntax.ts';
import { type Tree, type Violation, isCode, isTest, packageOf } from './tree.ts';

/** Imports go down only: from a higher floor to a lower one. */
export const FLOORS: Readonly<Record<string, number>> = {
  base: 0,
  facts: 1,
  llm: 1,
  redact: 1,
  rpc: 1,
  system: 2,
  git: 3,
  confine: 3,
  patch: 3,
  pages: 4,
  files: 4,
  shell: 4,
  undo: 4,
  'tool-table': 4,
  journal: 5,
  policy: 5,
  mcp: 6,
  'stream-json': 6,
  settings: 6,
  agent: 7,
  acp: 8,
  adapters: 8,
  executor: 8,
  headless: 8,
  terminal: 8,
  store: 9,
  repository: 10,
  'project-config': 10,
  people: 10,
  analytics: 10,
  pipeline: 11,
  bundle: 12,
  states: 12,
  run: 12,
  notify: 13,
  platform: 14,
  api: 15,
  server: 16,
  console: 16,
  web: 17,
  cli: 17,
};

/** Packages that may import from fewer places than the floors below them. */
export const ONLY_FROM: Readonly<Record<string, ReadonlyArray<string>>> = { web: ['api', 'base'] };

/** Floor zero runs wherever the floors above do: in browsers too. */
const BELOW_EVERYONE = 'base';

/** Packages that also run in a browser: from below they import types and no values. */
export const TYPES_ONLY: ReadonlySet<string> = new Set(['api']);

/** Entry points with facts and pure functions over them, from which such a package may also import values. */
const BROWSER_DOORS: ReadonlySet<string> = new Set(['@attractor/facts', '@attractor/store/types']);

/** Beside the house: a model to talk to, for the demo and for tests. It does not know our packages. */
export const SIMULATOR = 'simulator';
export const MAY_USE_SIMULATOR: ReadonlySet<string> = new Set(['cli']);

const OURS = /^@attractor\/([^/]+)/;

export function importDirection(tree: Tree): Violation[] {
  const inPackages = tree.files.filter((file) => packageOf(file) !== undefined);
  return [
    ...inPackages.filter(isCode).flatMap((file) => codeViolations(tree, file)),
    ...manifestViolations(tree, inPackages),
  ];
}

function codeViolations(tree: Tree, file: string): Violation[] {
  const from = packageOf(file) ?? '';
  return importsOf(tree, file).flatMap(({ specifier, typeOnly, line }) => {
    const to = OURS.exec(specifier)?.[1];
    if (to === undefined) return [];
    const message = refusal({ from, to, typeOnly: typeOnly || BROWSER_DOORS.has(specifier), test: isTest(file) });
    return message === undefined ? [] : [{ file, line, message }];
  });
}

function manifestViolations(tree: Tree, files: ReadonlyArray<string>): Violation[] {
  const manifests = files.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file));
  return manifests.flatMap((file) => {
    const from = packageOf(file) ?? '';
    const manifest: { dependencies?: Record<string, string> } = JSON.parse(tree.read(file));
    return Object.keys(manifest.dependencies ?? {}).flatMap((name) => {
      const to = OURS.exec(name)?.[1];
      const message = to === undefined ? undefined : refusal({ from, to, typeOnly: true, test: false });
      return message === undefined ? [] : [{ file, message }];
    });
  });
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
  readonly test: boolean;
}

function refusal({ from, to, typeOnly, test }: Edge): string | undefined {
  if (from === SIMULATOR) return `the simulator imports none of our packages, but names @attractor/${to}`;
  if (to === SIMULATOR)
    return test || MAY_USE_SIMULATOR.has(from) ? undefined : `only cli and tests may use the simulator, not ${from}`;
  const [lower, upper] = [FLOORS[to], FLOORS[from]];
  if (upper === undefined) return `package ${from} has no floor: give it one in tests/house/import-direction.ts`;
  if (lower === undefined) return `@attractor/${to} is no package of ours`;
  if (lower >= upper)
    return `${from} (floor ${upper}) must not import @attractor/${to} (floor ${lower}): imports go down only`;
  if (to === BELOW_EVERYONE) return undefined;
  const sources = ONLY_FROM[from];
  if (sources?.includes(to) === false) return `${from} imports ${sources.join(', ')} only, not @attractor/${to}`;
  if (TYPES_ONLY.has(from) && !typeOnly && !test)
    return `${from} imports types only from below: use \`import type\` for @attractor/${to}`;
  return undefined;
}
