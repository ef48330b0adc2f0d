import { namedFiles, type NamingPlace } from './named-files.ts';
import { changedFiles, type TrustedBytes } from './read-executable-files.ts';
import { shownChanges } from './shown-changes.ts';
import { examineTrust } from './trust.ts';

/** `home`: where trust is kept. Absent: nothing that is trusted later counts. */
export type ChangedPlace = NamingPlace & TrustedBytes & { readonly home?: string | undefined };

/**
 * Why a trusted command may not run now, or null: a file of the workspace that it names is not as it was trusted. Whoever may edit that
 * file, the agent among them, would otherwise run what nobody saw. A person can trust the workspace as it is now, also while a session runs:
 * a worktree counts as its repository, so its branch may have a state of its own. The answer shows what changed, as far as a few lines do.
 */
export function changedSince(words: ReadonlyArray<string>, place: ChangedPlace): string | null {
  const names = namedFiles(words, place);
  const changed = changedFiles(names, place);
  if (changed.length === 0 || isTrustedNow(names, place)) return null;
  const shown = shownChanges(changed, place);
  return [
    `${changed.join(', ')} changed since a person trusted it: in ${place.root} see \`attractor trust show\`, and trust it with \`attractor trust grant\`.`,
    ...(shown.length === 0 ? [] : ['What changed:', ...shown]),
  ].join('\n');
}

function isTrustedNow(names: ReadonlyArray<string>, { root, home }: ChangedPlace): boolean {
  if (home === undefined) return false;
  const now = examineTrust(root, { home });
  if (now.state !== 'trusted' || now.root !== root) return false;
  const trusted = new Map(now.files.map(({ path, sha256 }) => [path, sha256]));
  return changedFiles(names, { root, trusted }).length === 0;
}
