import { setFlagsFromString } from 'node:v8';

/**
 * For a process that lives for days, and never gives back what it once took. From now on the part of its memory that is for new objects stays
 * as large as it is: it would grow with every peak, to 64 MB, and never become smaller. Dead objects and buffers are looked for whenever
 * they may be a fifth of the rest: under load they would gather until they are twice the rest. And only what is called ten thousand times is
 * compiled once more to be quick, not four hundred: what each run does once or twice would all be, in the end, and that is never given back.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--invocation-count-for-maglev=10000');
}

/**
 * For a process that also answers people: what each look for dead objects frees is given back to the machine, not kept for the next peak, and
 * there is a look when new buffers take 4 MB, not 64 (four times the bound of the part for new objects, which itself stays as it is). Work
 * that never waits for a model takes a tenth longer for it.
 */
export function giveHeapBack(): void {
  setFlagsFromString('--scavenger-max-new-space-capacity-mb=1');
  setFlagsFromString('--memory-saver-mode');
}
