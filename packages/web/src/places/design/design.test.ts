import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ELSEWHERE } from './examples/elsewhere.ts';

const here = import.meta.dirname;
/** The rooms whose parts more than one place uses. */
const ROOMS = ['ui', 'run', 'diff', 'waiting'];

const textsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** Every part that is exported: a function, or a constant made of one. */
const parts = ROOMS.flatMap((room) =>
  textsIn(join(here, '..', '..', room)).flatMap(({ name, text }) =>
    [...text.matchAll(/^export (?:function|const) ([A-Z]\w*[a-z]\w*)\b(?= = memo|[(<])/gm)].map(
      ([, part]) => `${room}/${name} ${part}`,
    ),
  ),
);

const page = textsIn(join(here, 'examples'))
  .map(({ text }) => text)
  .join('\n');
const shown = [...page.matchAll(/of: '(\w+)',\s+from: '([\w/.-]+)'/g)].map(([, of, from]) => `${from} ${of}`);

describe('the page of parts', () => {
  it('shows every part of the shared rooms, or says why not', () => {
    expect(parts.length).toBeGreaterThan(50);
    const named = parts.filter((part) => ELSEWHERE[part.split(' ')[1] ?? ''] === undefined);
    expect(shown.toSorted()).toEqual(named.toSorted());
  });

  it('has every list of them on the page', () => {
    const lists = [...page.matchAll(/^export const ([A-Z]+): ReadonlyArray<Part>/gm)].map(([, name]) => `...${name}`);
    expect(lists.length).toBeGreaterThan(5);
    expect(lists.filter((list) => !page.includes(list))).toEqual([]);
  });

  it('gives no reason for what is shown or does not exist', () => {
    const names = new Set(parts.map((part) => part.split(' ')[1]));
    const own = new Set(shown.map((part) => part.split(' ')[1]));
    expect(Object.keys(ELSEWHERE).filter((name) => own.has(name) || !names.has(name))).toEqual([]);
  });

  it('shows every name of the file of tokens', () => {
    const tokens = readFileSync(join(here, '..', '..', 'ui', 'tokens.css'), 'utf8');
    const colours = [...tokens.matchAll(/--color-([\w-]+): var/g)].map(([, name]) => name);
    expect(colours.length).toBeGreaterThan(25);
    expect(colours.filter((name) => !new RegExp(`'(?:bg|text|fill)-${name}'`).test(page))).toEqual([]);
  });
});
