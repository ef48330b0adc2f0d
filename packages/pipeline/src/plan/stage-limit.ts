import type { AgentRunOptions } from '@attractor/adapters';
import type { Plan } from '@attractor/store';
import { isTestFile } from './test-files.ts';
import type { Stage } from './stages.ts';

type WorkLimit = NonNullable<AgentRunOptions['limit']>;

/** The files of the work, as paths below its folder: on the base, and when this stage began. */
export type StageFiles = {
  readonly base: ReadonlyArray<string>;
  readonly start: ReadonlyArray<string>;
  readonly plan: Plan | null;
};

/** What the run of a stage may write and run, and why not otherwise. */
export function stageLimit({ writes }: Stage, files: StageFiles): WorkLimit {
  return LIMITS[writes](files);
}

const LATER = 'leave it for the stage that follows, or say in your report that it is needed';

/** What is written again in a stage that is repeated is still new: the base decides. */
const LIMITS: Readonly<Record<Stage['writes'], (files: StageFiles) => WorkLimit>> = {
  new: ({ base }) => {
    const isThere = known(base);
    return {
      refuses: (file) =>
        isThere(file) ? `in this stage only new files are written, and ${file} was there before: ${LATER}` : null,
    };
  },
  present: ({ start }) => {
    const isThere = known(start);
    return {
      refuses: (file) =>
        isThere(file)
          ? null
          : `in this stage only files are changed that are there, and ${file} is new: say in your report that it is needed`,
    };
  },
  tests: ({ plan }) => {
    const planned = new Set(plan?.tests.map(({ path }) => path));
    return {
      refuses: (file) =>
        planned.has(file) || isTestFile(file)
          ? null
          : `in this stage only tests are written, and ${file} is none by its name or by the plan: ${LATER}`,
    };
  },
  nothing: () => ({
    refuses: (file) => `in this stage no file is changed, and ${file} would be: it only puts commits in order`,
    programs: { names: ['git'], reason: 'in this stage only git runs, besides what reads' },
  }),
};

/** A folder is there if a file in it is. */
function known(files: ReadonlyArray<string>): (file: string) => boolean {
  const all = new Set(files);
  for (const file of files)
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const folder = file.slice(0, at);
      if (all.has(folder)) break;
      all.add(folder);
    }
  return (file) => file === '' || all.has(file);
}
