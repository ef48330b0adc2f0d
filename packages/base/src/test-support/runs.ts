/** How often a generated test runs: `normal` in every run of the tests, `soak` with SOAK=1. */
export function runs(normal: number, soak: number): number {
  return process.env['SOAK'] === '1' ? soak : normal;
}
