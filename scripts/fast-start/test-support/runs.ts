/** How many cases a property test tries: few in a normal run, many in a soak. */
export function runs(normal: number): number {
  return isSoak() ? normal * 50 : normal;
}

/** How long such a test may take, in milliseconds. */
export function patience(): number {
  return isSoak() ? 1_800_000 : 30_000;
}

function isSoak(): boolean {
  return process.env['SOAK'] === '1';
}
