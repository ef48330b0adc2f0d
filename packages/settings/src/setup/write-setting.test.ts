import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { expect, it } from 'vitest';
import { writeLocalSetting } from './write-setting.ts';

it('writes one setting beside the others, and nothing through a folder that is a link', async () => {
  const [home, elsewhere] = [makeFolder(), makeFolder()];
  const root = makeFolder({ '.git/HEAD': '' });
  expect(await writeLocalSetting({ home, root }, 'outputStyle', 'terse')).toBeNull();
  const file = path.join(root, '.claude/settings.local.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ outputStyle: 'terse' });

  const linked = makeFolder({ '.git/HEAD': '' });
  symlinkSync(elsewhere, path.join(linked, '.claude'));
  expect(await writeLocalSetting({ home, root: linked }, 'outputStyle', 'terse')).toMatch(/leads elsewhere/);
  expect(readdirSync(elsewhere)).toEqual([]);
});
