import { EFFORTS, PERMISSION_MODES } from '@attractor/facts';
import { resolve } from 'node:path';
import type { Flag } from '../../verbs/flag.ts';
import type { Call } from '../../verbs/verb.ts';

/** What can be chosen for a run. */
export const RUN_SETTING_FLAGS: ReadonlyArray<Flag> = [
  { flag: '--effort <effort>', about: 'how hard the model thinks', choices: EFFORTS },
  { flag: '--permission-mode <mode>', about: 'what runs without asking', choices: PERMISSION_MODES },
  { flag: '--add-dir <folder>', about: 'a further folder that it may read and change', many: true },
];

export function chosenSettings({ flags }: Call) {
  return {
    effort: EFFORTS.find((known) => known === flags.text('effort')),
    permissionMode: PERMISSION_MODES.find((known) => known === flags.text('permissionMode')),
    additionalDirectories: flags.list('addDir')?.map((folder) => resolve(folder)),
  };
}
