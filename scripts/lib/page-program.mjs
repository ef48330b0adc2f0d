/** Pages whose code is a complete program: it runs like an example. */
export const PAGES = ['README.md', 'packages/agent/README.md', 'docs/embedding.md'];

/** The program of a page: its `ts` blocks, in order. */
export function programOf(page) {
  return [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code).join('\n');
}
