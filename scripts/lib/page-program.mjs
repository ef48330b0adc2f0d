/** Pages whose code is a program of its own: it runs like an example. */
export const PAGES = ['README.md', 'packages/agent/README.md', 'docs/embedding.md'];

/** The program that a page is: its blocks of `ts`, in the order in which they stand. */
export function programOf(page) {
  return [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code).join('\n');
}
