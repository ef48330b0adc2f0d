/** How many cases a property test tries: few in a normal run, many in a soak. */
export function runs(normal: number): number {
  return process.env['SOAK'] === '1' ? normal * 50 : normal;
}
