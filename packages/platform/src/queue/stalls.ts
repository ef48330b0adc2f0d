/**
 * Tells a process that was kept from its timers by its own computing from one that was frozen, or whose machine was: only the first uses
 * the processor meanwhile. `look` is called now and then; a pause of more than `longMs` between two looks is a stall.
 */
export function watchStalls(longMs: number): { readonly look: () => void; readonly wereOurs: () => boolean } {
  let at = performance.now();
  let cpu = process.cpuUsage();
  let wereOurs = false;
  const look = (): void => {
    const { user, system } = process.cpuUsage(cpu);
    const pause = performance.now() - at;
    wereOurs ||= pause > longMs && (user + system) / 1_000 > pause / 2;
    at = performance.now();
    cpu = process.cpuUsage();
  };
  return {
    look,
    wereOurs: () => {
      look();
      return wereOurs;
    },
  };
}
