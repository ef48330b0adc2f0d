import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AGENT_SDK_PAGE, withSdkOptions } from './agent-sdk-page.ts';
import { SCRIPTS_PAGE, withScriptLines } from './scripts-page.ts';
import { CHECKOUT } from './tree.ts';

it.each([
  [AGENT_SDK_PAGE, withSdkOptions],
  [SCRIPTS_PAGE, withScriptLines],
])('%s shows the tables that are tried: otherwise run `npm run docs`', (name, draw) => {
  const page = readFileSync(join(CHECKOUT, name), 'utf8');
  expect(draw(page)).toBe(page);
});
