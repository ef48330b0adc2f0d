import { posix } from 'node:path';
import { importsOf } from './syntax.ts';
import { type Tree, type Violation, isCode, packageOf } from './tree.ts';

/** A package is imported through its `exports`, and never through a path into its folder. */
export function deepImports(tree: Tree): Violation[] {
  const doors = doorsOf(tree);
  return tree.files.filter(isCode).flatMap((file) =>
    importsOf(tree, file).flatMap(({ specifier, line }) => {
      const message = specifier.startsWith('.')
        ? relativeRefusal(file, specifier)
        : namedRefusal(file, specifier, doors);
      return message === undefined ? [] : [{ file, line, message }];
    }),
  );
}

function doorsOf(tree: Tree): Map<string, Set<string>> {
  const manifests = tree.files.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file));
  return new Map(
    manifests.map((file) => {
      const manifest: { name: string; exports?: Record<string, unknown> } = JSON.parse(tree.read(file));
      const doors = Object.keys(manifest.exports ?? {}).map((door) => posix.join(manifest.name, door));
      return [manifest.name, new Set(doors)];
    }),
  );
}

function relativeRefusal(file: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(file), specifier);
  const inside = packageOf(target);
  if (inside === undefined || inside === packageOf(file)) return undefined;
  return `reaches into packages/${inside}: import @attractor/${inside} instead of ${specifier}`;
}

function namedRefusal(file: string, specifier: string, doors: Map<string, Set<string>>): string | undefined {
  const name = /^@attractor\/[^/]+/.exec(specifier)?.[0];
  if (name === undefined) return undefined;
  if (name === `@attractor/${packageOf(file)}`)
    return `imports its own package by name: use a relative path instead of ${specifier}`;
  return doors.get(name)?.has(specifier) === false ? `${specifier} is not in the exports of ${name}` : undefined;
}
