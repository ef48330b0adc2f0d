import { type Tree, type Violation, isProduct } from './tree.ts';

/** What a person reads to do something in the web app. */
const PAGES = [
  'first-run',
  'connect-a-model',
  'tasks',
  'review-and-merge',
  'write-a-pipeline',
  'compare-agents',
  'costs',
  'notifications',
  'running-on-many-machines',
  'troubleshooting',
].map((name) => `docs/${name}.md`);

/** The words of its buttons and places, and those of states and next steps, which it shows as they are. */
const SHOWN = /^packages\/(?:web|states)\/src\//;

/** In these pages what stands in bold is the name of a button or a place: it is in the app, letter for letter. */
export function webNames(tree: Tree): Violation[] {
  const sources = tree.files.filter((file) => SHOWN.test(file) && isProduct(file));
  const app = sources.map((file) => tree.read(file)).join('\n');
  return PAGES.filter((page) => tree.files.includes(page)).flatMap((file) =>
    [...tree.read(file).matchAll(/\*\*([^*\n]+)\*\*/g)]
      .map(([, name = '']) => name)
      .filter((name) => !isShown(name, app))
      .map((name) => ({ file, message: `the web app shows no “${name}”` })),
  );
}

/** As a text in quotes, or as all of the text of an element. */
function isShown(name: string, app: string): boolean {
  const text = name.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  return new RegExp(`(?:['"\`]|^\\s*|> ?)${text}(?:['"\`]|\\s*$|<)`, 'm').test(app);
}
