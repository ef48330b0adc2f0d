import { describe, expect, it } from 'vitest';
import { budgets } from './budgets.ts';
import { childProcesses } from './child-processes.ts';
import { circles } from './circles.ts';
import { decisionNotes } from './decision-notes.ts';
import { deepImports } from './deep-imports.ts';
import { dependencyList } from './dependency-list.ts';
import { documentedFunctions } from './documented-functions.ts';
import { documents } from './documents.ts';
import { environmentReads } from './environment-reads.ts';
import { floorsPicture } from './floors-picture.ts';
import { forbiddenWords } from './forbidden-words.ts';
import { importDirection } from './import-direction.ts';
import { importEffects } from './import-effects.ts';
import { lockfile } from './lockfile.ts';
import { packageSizes } from './package-sizes.ts';
import { oneVersion } from './one-version.ts';
import { roomLayers } from './room-layers.ts';
import { shells } from './shells.ts';
import { CHECKOUT, type Rule, readTree, show } from './tree.ts';
import { terminalWrites } from './terminal-writes.ts';
import { toolsPage } from './tools-page.ts';
import { webNames } from './web-names.ts';
import { wholeTests } from './whole-tests.ts';
import { words } from './words.ts';

/* Every rule, on this repository. That a rule finds what it should is shown in its own test beside it. */
const RULES: ReadonlyArray<readonly [string, Rule]> = [
  ['imports go down only', importDirection],
  ['inside a package, too, imports go down only', roomLayers],
  ['no file and no folder comes back to itself', circles],
  ['the map shows the floors as they are', floorsPicture],
  ['the page on tools lists what there is', toolsPage],
  ['a package is entered through its exports', deepImports],
  ['files, functions and parameter lists keep their budgets', budgets],
  ['no package has more source than reads as one thing', packageSizes],
  ['nothing happens at import', importEffects],
  ['the environment is read where a process is put together', environmentReads],
  ['one file starts a shell', shells],
  ['every child process is known and gets the variables that it needs', (tree) => childProcesses(tree)],
  ['one file prints to the terminal, and one asks there', terminalWrites],
  ['every test runs', wholeTests],
  ['what the libraries hand out says what it is for', documentedFunctions],
  ['what documents name exists', documents],
  ['buttons and places that pages name are in the web app', webNames],
  ['notes on decisions are short and found', decisionNotes],
  ['no forbidden word is used', forbiddenWords],
  ['files, folders, types and functions are named in the words of docs/words.md', words],
  ['every dependency is listed with its reason', dependencyList],
  ['the lockfile records no addresses', lockfile],
  ['the project has one version', oneVersion],
];

describe('the rules of the house', () => {
  const tree = readTree(CHECKOUT);
  it.each(RULES)('%s', (_sentence, rule) => {
    const violations = show(rule(tree));
    expect(violations, violations.join(' · ')).toEqual([]);
  });
});
