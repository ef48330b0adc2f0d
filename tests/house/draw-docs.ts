// `npm run docs`: redraws what documents show of the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVERYTHING_PAGE, withEverything } from './everything-page.ts';
import { AGENT_SDK_PAGE, withSdkOptions } from './agent-sdk-page.ts';
import { SCRIPTS_PAGE, withScriptLines } from './scripts-page.ts';
import { PAGE, withPicture } from './floors-picture.ts';
import { TOOLS_PAGE, withTools } from './tools-page.ts';
import { CHECKOUT, readTree } from './tree.ts';

const DRAWN: ReadonlyArray<readonly [page: string, draw: (page: string) => string]> = [
  [PAGE, withPicture],
  [TOOLS_PAGE, withTools],
  [EVERYTHING_PAGE, (page) => withEverything(page, readTree(CHECKOUT))],
  [AGENT_SDK_PAGE, withSdkOptions],
  [SCRIPTS_PAGE, withScriptLines],
];

for (const [name, draw] of DRAWN) {
  const file = join(CHECKOUT, name);
  const page = readFileSync(file, 'utf8');
  writeFileSync(file, draw(page));
  process.stdout.write(`${name}: ${draw(page) === page ? 'up to date' : 'drawn anew'}\n`);
}
