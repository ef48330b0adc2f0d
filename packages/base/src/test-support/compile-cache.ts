/** For the environment of a program that a test starts from its sources: all of them share what is compiled. */
export function compileCache(): { readonly NODE_COMPILE_CACHE: string } {
  return { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' };
}
