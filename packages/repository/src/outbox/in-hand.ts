import { ownerState, type StoredEffect } from '@attractor/store';
import type { DueQuery } from './decide-effect.ts';

/** What this process is at, by effect and claim. */
const inHand = new Set<string>();

function nameOf({ id, fence }: StoredEffect): string {
  return `${id} ${fence}`;
}

/** For a claim: what it held is let go if it comes to nothing, or begins again. */
export function createHold() {
  const names = new Set<string>();
  return {
    hold: (effect: StoredEffect): void => {
      names.add(nameOf(effect));
      inHand.add(nameOf(effect));
    },
    letGo: (): void => {
      for (const name of names) inHand.delete(name);
      names.clear();
    },
  };
}

export function letGo(effect: StoredEffect): void {
  inHand.delete(nameOf(effect));
}

/**
 * What is ours by name and not in hand is nobody's: it was taken in a transaction whose answer got lost, or its end could not be written.
 * Nobody else can tell.
 */
export function ownerStateFor(own: string): DueQuery['ownerState'] {
  return (effect) => {
    if (effect.owner === null) return 'dead';
    return effect.owner === own && !inHand.has(nameOf(effect)) ? 'dead' : ownerState(effect.owner);
  };
}
