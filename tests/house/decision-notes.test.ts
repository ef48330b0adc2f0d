import { describe, expect, it } from 'vitest';
import { decisionNotes } from './decision-notes.ts';
import { judge } from './planted.ts';

const INDEX = { 'docs/decisions/README.md': '[0001](0001-one.md) [0001](0001-two.md)' };

describe('notes on decisions', () => {
  it('are short', () => {
    const note = { 'docs/decisions/0001-one.md': 'a line\n'.repeat(61) };
    expect(judge(decisionNotes, { ...INDEX, ...note })).toEqual([expect.stringContaining('has 61 lines')]);
  });

  it('are listed', () => {
    const note = { 'docs/decisions/0002-lost.md': 'a line\n' };
    expect(judge(decisionNotes, { ...INDEX, ...note })).toEqual([
      expect.stringContaining('0002-lost.md is not listed'),
    ]);
  });

  it('have a number of their own', () => {
    const notes = { 'docs/decisions/0001-one.md': '', 'docs/decisions/0001-two.md': '' };
    expect(judge(decisionNotes, { ...INDEX, ...notes })).toEqual([
      expect.stringContaining('0001-two.md shares its number'),
    ]);
  });

  it('may fill sixty lines', () => {
    const note = {
      'docs/decisions/0001-one.md': 'a line\n'.repeat(60),
      'docs/decisions/dependencies.md': '|\n'.repeat(99),
    };
    expect(judge(decisionNotes, { ...INDEX, ...note })).toEqual([]);
  });
});
