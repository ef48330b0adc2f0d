/** How many cases a property test of paths and links tries, and how long it may take in milliseconds: more in a soak. */
export function pathRuns(normal: number, soak: number): { readonly numRuns: number; readonly patienceMs: number } {
  const isSoak = process.env['SOAK'] === '1';
  return { numRuns: isSoak ? soak : normal, patienceMs: isSoak ? 1_800_000 : 60_000 };
}
