import { EFFORTS, PERMISSION_MODES } from '@attractor/facts';
import type { Flag } from '../../verbs/flag.ts';

/** What can be chosen for a run. */
export const RUN_SETTING_FLAGS: ReadonlyArray<Flag> = [
  { flag: '--effort <effort>', about: 'how hard the model thinks', choices: EFFORTS },
  { flag: '--permission-mode <mode>', about: 'what runs without asking', choices: PERMISSION_MODES },
];
