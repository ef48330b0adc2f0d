import { describe, expect, it } from 'vitest';
import { familyNameOf, ownNameOf, namesOfTool, rowOf } from './names.ts';
import type { ToolRow } from './row.ts';
import { TOOL_NAMES, TOOLS } from './table.ts';

const rows: ReadonlyArray<readonly [string, ToolRow]> = Object.entries(TOOLS);

describe('the table of tools', () => {
  it('has no name that means two tools', () => {
    const names = TOOL_NAMES.flatMap((tool) => namesOfTool(tool));
    const foreign = rows.flatMap(([, row]) => row.foreign ?? []);
    const all = [...names, ...foreign];
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });

  it.each(TOOL_NAMES)('leads back to %s from each of its names', (tool) => {
    for (const name of namesOfTool(tool)) {
      expect(ownNameOf(name)).toBe(tool);
      expect(rowOf(name)).toBe(TOOLS[tool]);
    }
    for (const name of rowOf(tool)?.foreign ?? []) {
      expect(rowOf(name)).toBe(TOOLS[tool]);
      expect(ownNameOf(name)).toBe(name);
    }
  });

  it('names only tools that there are where one tool speaks of another', () => {
    const named = rows.flatMap(([, { faceOf, advice }]) => [
      ...(faceOf === undefined ? [] : [faceOf]),
      ...(advice?.with ?? []),
    ]);
    expect(named.filter((name) => !Object.hasOwn(TOOLS, name))).toEqual([]);
  });

  it('says in its advice only names that the advice is about', () => {
    for (const [tool, { advice }] of rows) {
      const said = advice?.say.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
      for (const name of said) expect([tool, ...(advice?.with ?? [])]).toContain(name);
    }
  });

  it('leaves names alone that are no tool of ours', () => {
    for (const name of ['mcp__a__b', 'toString', 'constructor', '']) {
      expect([ownNameOf(name), familyNameOf(name, 'anthropic'), rowOf(name)]).toEqual([name, name, undefined]);
    }
  });
});
