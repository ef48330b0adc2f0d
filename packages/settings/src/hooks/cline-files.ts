import { accessSync, constants, readdirSync } from 'node:fs';
import path from 'node:path';
import { defined } from '@attractor/base';
import type { SettingOrigin } from '../settings/origin.ts';
import type { TrustExamination } from '../trust/trust.ts';
import type { HookDefinition } from './definition.ts';
import { WIRES } from './wires.ts';

/** Where Cline looks for hooks: programs that are named after their events. */
const OF_PERSON = ['Documents', 'Cline', 'Hooks'];
const OF_REPOSITORY = '.clinerules/hooks/';

/** A session that starts, or one that is resumed: two events there, one here. */
const SOURCES: Readonly<Record<string, string>> = { TaskStart: 'startup', TaskResume: 'resume' };

export type ClineFiles = { readonly trust: TrustExamination; readonly userHome: string };

/** Cline's hooks: a person's own, and those of a trusted repository. A file that is not executable does not count. */
export function readClineHooks({ trust, userHome }: ClineFiles): ReadonlyArray<HookDefinition> {
  const folder = path.join(userHome, ...OF_PERSON);
  const theirs = trust.state === 'trusted' ? trust.files.map((file) => file.path) : [];
  return [
    ...namesIn(folder).flatMap((name) => definitionOf(path.join(folder, name), 'user')),
    ...theirs
      .filter((name) => name.startsWith(OF_REPOSITORY) && !name.slice(OF_REPOSITORY.length).includes('/'))
      .flatMap((name) => definitionOf(path.join(trust.root, name), 'project')),
  ];
}

function namesIn(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function definitionOf(file: string, scope: SettingOrigin['scope']): ReadonlyArray<HookDefinition> {
  const as = path.basename(file);
  const { names } = WIRES.cline;
  const event = Object.hasOwn(names, as) ? names[as] : undefined;
  if (event === undefined || !canRun(file)) return [];
  const matcher = SOURCES[as];
  return [
    {
      event,
      ...defined({ matcher }),
      handlers: [{ kind: 'command', command: file, args: [] }],
      spoken: { wire: 'cline', as },
      origin: { scope, agent: 'cline', file, line: null, name: null },
    },
  ];
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
