import { EnvironmentError, type ExecutionEnvironment } from '../types/index.ts';
import { checkedReads } from './checked-reads.ts';
import type { LivePolicy } from '@attractor/policy';

/**
 * The environment, with searches that omit files which may not be read. A call that names such a file is denied before it runs, but a
 * search names a folder, and only its result shows what it found.
 */
export function hideDenied(environment: ExecutionEnvironment, policy: LivePolicy): ExecutionEnvironment {
  const hidden = (): ((file: string) => boolean) | null => {
    const current = policy.current();
    return current.restrictsReading ? current.deniesReading : null;
  };
  const check = (file: string): void => {
    if (hidden()?.(file) === true)
      throw new EnvironmentError({ code: 'denied', message: `${file} may not be read: a rule denies it.` });
  };
  return {
    ...environment,
    ...checkedReads(environment, check),
    grep: async (pattern, folder, options) => {
      const isHidden = hidden();
      if (isHidden === null) return environment.grep(pattern, folder, options);
      // Only the search itself knows which file a line of counts, names or bare text belongs to.
      return visibleLines(await environment.grep(pattern, folder, { ...options, leaveOut: isHidden }), isHidden);
    },
    glob: async (pattern, folder, options) => {
      const found = await environment.glob(pattern, folder, options);
      const isHidden = hidden();
      return isHidden === null ? found : found.filter((file) => !isHidden(file));
    },
  };
}

/**
 * `path:12:text` or, around a match, `path-12-text`. A path may contain these marks too, so every possible reading of the line is checked.
 */
function visibleLines(found: string, isHidden: (file: string) => boolean): string {
  const known = new Map<string, boolean>();
  const check = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const now = isHidden(file);
    known.set(file, now);
    return now;
  };
  return found
    .split('\n')
    .filter((line) => !Array.from(line.matchAll(/[:-]\d+[:-]/g), ({ index }) => line.slice(0, index)).some(check))
    .join('\n');
}
