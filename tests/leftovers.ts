/**
 * What the tests of a file leave is ended and removed after them, newest first. `give-back.ts` calls this for every file: a module that
 * several files share is loaded once, and a hook in it would only be called for the first of them.
 */
const leftovers: Array<() => void> = [];

export function removeLater(remove: () => void): void {
  leftovers.push(remove);
}

export function removeLeftovers(): void {
  for (const remove of leftovers.splice(0).toReversed()) remove();
}
