/** A command line that certainly opens a conversation on a terminal. Without words and flags nothing is loaded to read them. */
export async function main(argv: ReadonlyArray<string>): Promise<number> {
  if (argv.length > 0) return (await import('./converse-with.ts')).converseWith(argv);
  const { converse } = await import('./converse.ts');
  return converse({}, {});
}
