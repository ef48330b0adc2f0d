/** How many cases a property test tries: few by default, many in a soak. */
export function runs(few: number): number {
  return process.env['SOAK'] === '1' ? few * 50 : few;
}
