import { realPathOf } from './real-path.ts';
import { allowsPart, readShell, restrictsPart, suggestRule } from './shell/index.ts';
import type { ShellPort } from './shell-port.ts';

/** Our own reader of bash. This file is loaded with the first command that is judged, and the grammar with it. */
export const SHELL: ShellPort = {
  read: (command, places) => readShell(command, { ...places, realpath: realPathOf }),
  matches: (content, part, behavior) =>
    behavior === 'allow' ? allowsPart(content, part) : restrictsPart(content, part),
  suggest: suggestRule,
};
