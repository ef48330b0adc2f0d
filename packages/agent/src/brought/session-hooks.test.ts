import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { loadSettings } from '../settings/load-settings.ts';
import { makeFolder } from '../test-support/world.ts';
import { hooksOfSettings } from './session-hooks.ts';

const CLINE = 'Documents/Cline/Hooks/PreToolUse';

function hooksWith(settings: object): ReturnType<typeof hooksOfSettings> {
  const command = { hooks: [{ type: 'command', command: 'true' }] };
  const userHome = makeFolder({
    [CLINE]: '#!/bin/sh\n',
    '.attractor/config.json': JSON.stringify({ hooks: { Stop: [command] }, ...settings }),
  });
  chmodSync(path.join(userHome, CLINE), 0o755);
  const home = path.join(userHome, '.attractor');
  return hooksOfSettings(loadSettings({ home, userHome, folder: makeFolder(), env: {} }), { userHome });
}

it('hooks of settings and of files run, and none of either once a person switched them off', () => {
  expect(hooksWith({}).definitions.map(({ event }) => event)).toEqual(['Stop', 'PreToolUse']);
  expect(hooksWith({ disableAllHooks: true })).toEqual({ definitions: [], problems: [], unused: [] });
});
