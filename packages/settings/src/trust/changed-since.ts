import { namedFiles, type NamingPlace } from './named-files.ts';
import { changedFiles, type TrustedBytes } from './read-executable-files.ts';

/**
 * Why a trusted command may not run now, or null: a file of the workspace that it names is not as it was trusted. Whoever may edit that
 * file, the agent among them, would otherwise run what nobody saw.
 */
export function changedSince(words: ReadonlyArray<string>, place: NamingPlace & TrustedBytes): string | null {
  const changed = changedFiles(namedFiles(words, place), place);
  if (changed.length === 0) return null;
  return `${changed.join(', ')} changed since a person trusted it: see \`attractor trust show\`, and trust it with \`attractor trust grant\``;
}
