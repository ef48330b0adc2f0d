import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { applySteps, identityOf, namesIn, takeBack } from './apply.ts';
import type { RestoreJournal, RestoreStep } from './restore-journal.ts';
import { contents, link, put } from './test-support/workspace.ts';

const AFTER = { changed: '600 new', 'made/deep/file': '644 made', 'was-a-folder': '644 file', link: 'link new-target' };

/** A workspace with a rewind ready in its stage: one file of each kind to change, make and delete. */
function makeWorld() {
  const root = makeFolder({ changed: 'old', 'deleted/deep/file': 'gone soon', 'was-a-folder/inside': 'inside' });
  symlinkSync('old-target', path.join(root, 'link'));
  mkdirSync(path.join(root, 'was-a-folder/empty'));
  const stage = path.join(root, '.attractor-undo-test');
  mkdirSync(stage);
  const journal = {
    v: 1,
    phase: 'applying',
    stage,
    id: 'snp_1',
    by: 'rewind',
    turn: 0,
    target: 'snp_0',
    before: 'snp_0',
  } as const;
  const paths = ['changed', 'deleted/deep/file', 'made/deep/file', 'was-a-folder', 'was-a-folder/inside', 'link'];
  put(namesIn(journal, 0).fresh, 'new', 0o600);
  put(namesIn(journal, 2).fresh, 'made');
  put(namesIn(journal, 3).fresh, 'file');
  link(namesIn(journal, 5).fresh, 'new-target');
  const steps = paths.map((name, index): RestoreStep => {
    const was = name === 'was-a-folder' ? null : identityOf(path.join(root, name));
    return { path: name, was, made: identityOf(namesIn(journal, index).fresh) };
  });
  const whole: RestoreJournal = { ...journal, label: '', steps };
  const files = (): Record<string, string> => contents(root, ['.attractor-undo-test']);
  return { roots: { root, prefix: '', excludeFile: null }, journal: whole, files, before: files() };
}

const SOME = Array.from({ length: 7 }, (_, count) => count);

describe('the steps of a rewind', () => {
  it.each(SOME)('are finished after a stop behind %i of them', async (count) => {
    const { roots, journal, files } = makeWorld();
    await applySteps(roots, { ...journal, steps: journal.steps.slice(0, count) });
    expect([...(await applySteps(roots, journal))]).toEqual([]);
    expect(files()).toEqual(AFTER);
    expect(readdirSync(roots.root).toSorted()).toEqual([
      '.attractor-undo-test',
      'changed',
      'link',
      'made',
      'was-a-folder',
    ]);
  });

  it.each(SOME)('are taken back after %i of them, and can then still be done', async (count) => {
    const { roots, journal, files, before } = makeWorld();
    const identity = identityOf(path.join(roots.root, 'changed'));
    await applySteps(roots, { ...journal, steps: journal.steps.slice(0, count) });
    takeBack(roots, journal);
    expect(files()).toEqual(before);
    expect(identityOf(path.join(roots.root, 'changed'))).toBe(identity);
    takeBack(roots, { ...journal, steps: journal.steps.slice(0, count) });
    expect(files()).toEqual(before);
    expect([...(await applySteps(roots, journal))]).toEqual([]);
    expect(files()).toEqual(AFTER);
  });

  it('pass over what somebody changed, made or moved meanwhile', async () => {
    const { roots, journal, files } = makeWorld();
    const at = (name: string): string => path.join(roots.root, name);
    writeFileSync(at('changed'), 'by a person');
    put(at('made/deep/file'), 'by a person');
    rmSync(at('deleted'), { recursive: true });
    symlinkSync(makeFolder({ 'deep/file': 'elsewhere' }), at('deleted'));
    expect([...(await applySteps(roots, journal))].toSorted()).toEqual([0, 1, 2]);
    expect(files()).toMatchObject({
      changed: '644 by a person',
      'made/deep/file': '644 by a person',
      'was-a-folder': '644 file',
    });
  });

  it('delete nothing that somebody wrote meanwhile, and put nothing in its place', async () => {
    const { roots, journal, files } = makeWorld();
    writeFileSync(path.join(roots.root, 'was-a-folder/inside'), 'by a person');
    expect([...(await applySteps(roots, journal))].toSorted()).toEqual([3, 4]);
    expect(files()).toMatchObject({ changed: '600 new', 'was-a-folder/inside': '644 by a person' });
  });
});
