import { importsOf } from './syntax.ts';
import { type Tree, type Violation, isCode, isTest, packageOf } from './tree.ts';

/** Imports go down only: from a higher floor to a lower one. */
const FLOORS: Readonly<Record<string, number>> = {
  base: 0,
  llm: 1,
  agent: 2,
  adapters: 3,
  executor: 3,
  platform: 4,
  api: 5,
  server: 6,
  web: 7,
  cli: 7,
};

/** Floor zero runs wherever the floors above do: in browsers too. */
const BELOW_EVERYONE = 'base';

/** Beside the house: a model to talk to, for the demo and for tests. It knows nothing of us. */
const SIMULATOR = 'simulator';
const MAY_USE_SIMULATOR = new Set(['cli']);

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
    const message = refusal({ from, to, typeOnly, test: isTest(file) });
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
  if (from === 'web' && to !== 'api') return `web imports api and base only, not @attractor/${to}`;
  if (from === 'api' && !typeOnly && !test)
    return `api imports types only from below: use \`import type\` for @attractor/${to}`;
  return undefined;
}
