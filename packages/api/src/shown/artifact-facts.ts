import type { Artifact } from '@attractor/platform';
import { showControls } from './plain-text.ts';

/** A fact about what was made: its name in words, its value whole and as short as it is known by. */
export type ArtifactFact = { readonly name: string; readonly value: string; readonly short: string };

/** What neither the label of an artifact nor its line of branches says. */
export function artifactFacts({ label, metadata }: Artifact): ReadonlyArray<ArtifactFact> {
  return Object.entries(metadata).flatMap(([name, value]) => {
    const isSaid = SAID.has(name) || (name === 'baseBranch' && 'headBranch' in metadata);
    if (isSaid || typeof value !== 'string' || label.includes(value)) return [];
    return [{ name: wordsOf(name), value: showControls(value), short: showControls(shortOf(value)) }];
  });
}

/** Facts that the label of an artifact tells, or that stand beside one another in a line of their own. */
const SAID = new Set(['filesChanged', 'additions', 'deletions', 'prNumber', 'scm', 'headBranch', 'hash']);

/** `branchName` as a person writes it. */
function wordsOf(name: string): string {
  return showControls(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());
}

/** The beginning of a hash is enough to know it by. */
function shortOf(value: string): string {
  return /^[0-9a-f]{40,64}$/.test(value) ? value.slice(0, 12) : value;
}
