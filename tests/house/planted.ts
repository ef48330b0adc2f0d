import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Rule, type Tree, readTree, show } from './tree.ts';

/** A small tree on disk for one test, gone when the test ends. */
export function plant(files: Readonly<Record<string, string>>): Tree {
  const root = mkdtempSync(join(tmpdir(), 'attractor-house-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return readTree(root);
}

export function judge(rule: Rule, files: Readonly<Record<string, string>>): string[] {
  return show(rule(plant(files)));
}
