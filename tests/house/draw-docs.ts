// `npm run docs`: redraws what documents show of the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE, withPicture } from './floors-picture.ts';
import { TOOLS_PAGE, withTools } from './tools-page.ts';
import { CHECKOUT } from './tree.ts';

const DRAWN: ReadonlyArray<readonly [page: string, draw: (page: string) => string]> = [
  [PAGE, withPicture],
  [TOOLS_PAGE, withTools],
];

for (const [name, draw] of DRAWN) {
  const file = join(CHECKOUT, name);
  const page = readFileSync(file, 'utf8');
  writeFileSync(file, draw(page));
  process.stdout.write(`${name}: ${draw(page) === page ? 'up to date' : 'drawn anew'}\n`);
}
