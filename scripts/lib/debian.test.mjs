import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { missingPackages } from './debian.mjs';

describe('the Debian packages that tests need', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'attractor-debian-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are named by package when their command is not on the path', () => {
    expect(missingPackages(folder)).toEqual(['git', 'git-lfs', 'chromium', 'bubblewrap', 'strace']);
  });

  it('count as present when an executable command is there', () => {
    for (const name of ['git', 'git-lfs', 'bwrap', 'strace']) writeFileSync(join(folder, name), '', { mode: 0o755 });
    writeFileSync(join(folder, 'chromium'), '', { mode: 0o644 });
    expect(missingPackages(`/nowhere:${folder}`)).toEqual(['chromium']);
  });
});
