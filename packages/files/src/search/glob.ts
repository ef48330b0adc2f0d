import path from 'node:path';
import { defined } from '@attractor/base';
import { EnvironmentError } from '@attractor/system';
import { createStrangerCheck, resolveInside } from '@attractor/confine';

export type GlobQuery = {
  readonly pattern: string;
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
};

const NEVER = ['**/.git/**', '**/node_modules/**'];

/** Matching files below `path`, as sorted paths relative to the root. Links are not followed; dot files count. */
export async function globFiles(root: string, query: GlobQuery): Promise<ReadonlyArray<string>> {
  refuseEscape(query.pattern);
  const { real, stats } = resolveInside(root, query.path);
  if (stats === null || !stats.isDirectory()) {
    throw new EnvironmentError({ code: 'not_a_directory', message: `${query.path} is not a folder that exists.` });
  }
  const { glob } = await import('tinyglobby');
  const found = await glob(query.pattern, {
    cwd: real,
    dot: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    ignore: NEVER.filter((name) => !query.pattern.includes(name.slice(3, -3))),
    ...defined({ signal: query.signal }),
  });
  const isStrange = createStrangerCheck(root);
  return found
    .map((file) => path.relative(root, path.join(real, file)))
    .filter((file) => !isStrange(file))
    .toSorted();
}

function refuseEscape(pattern: string): void {
  if (pattern === '' || path.isAbsolute(pattern) || pattern.split(/[/{},]/).includes('..')) {
    throw new EnvironmentError({
      code: 'invalid_pattern',
      message: `The pattern ${JSON.stringify(pattern)} must be relative and stay below its folder, for example "src/**/*.ts".`,
    });
  }
}
