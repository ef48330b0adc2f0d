import { defined } from '@attractor/base';
import type { ImportedIssues } from '@attractor/platform';
import type { ImportIssuesBody } from '@attractor/api';
import { CommandFailure, EXIT, type ExitCode } from '@attractor/console';
import { table, print, valueOf } from '@attractor/console/lines';
import { showCall } from '../verbs/show-call.ts';
import { noun } from '../verbs/noun.ts';
import type { Call, LoneVerb, Verb } from '../verbs/verb.ts';

const IMPORT_VERBS: ReadonlyArray<Verb | LoneVerb> = [
  {
    name: 'github',
    summary: 'make tasks of the open issues of a GitHub repository; each issue once',
    arguments: [{ name: '[numbers...]', about: 'the issues; without any, they are listed' }],
    flags: [
      { flag: '--all', about: 'every open issue' },
      { flag: '--pipeline <id>', about: 'the pipeline of the new tasks' },
    ],
    notes: "Needs GitHub's own command gh, signed in. Exit code 4 if any of them was refused.",
    examples: ['import github', 'import github 12 15', 'import github --all --pipeline bug --json'],
    run: importGithub,
  },
  {
    name: 'settings',
    summary: 'show which configuration of other agents has an effect here, row by row',
    flags: [
      { flag: '--from <agent>', about: 'only that of claude, codex, gemini, opencode, cursor or another one' },
      { flag: '--cwd <folder>', about: 'the folder to look from (default: here)' },
    ],
    notes:
      "Looks at this folder and your home folder. Nothing is converted, written or run: files that are obeyed are read where they are. Each row is\nobeyed, not obeyed (with the reason), or refused. Exit code 4 if a limit can't be understood: no agent starts until it is fixed.",
    examples: [
      'import settings',
      'import settings --from claude',
      'import settings --from codex --json --cwd ../other',
    ],
    runAlone: async (call) => (await import('./import-settings.ts')).importSettings(call),
  },
];

async function importGithub(call: Call): Promise<ExitCode> {
  const numbers = numbersOf(call);
  const projectId = await call.project();
  if (numbers === null) return listIssues(call, projectId);
  const pipeline = call.flags.text('pipeline');
  const body = { numbers, ...defined({ pipeline }) };
  const busy = { doing: 'importing issues', of: { projectId } };
  const value = valueOf(await showCall(call, busy, () => call.client.issues.import(projectId, body)));
  await print(call.output, { value, lines: () => importLines(value), ids: () => value.imported.map(({ id }) => id) });
  return value.refused.length === 0 ? EXIT.done : EXIT.refused;
}

function numbersOf({ rest, flags }: Call): ImportIssuesBody['numbers'] | null {
  const given = rest(0);
  if (flags.has('all')) return 'all';
  if (given.length === 0) return null;
  return given.map((text) => {
    const value = Number(text.replace(/^#/, ''));
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw new CommandFailure(`expected the number of an issue, not '${text}'`, EXIT.usage);
  });
}

async function listIssues(call: Call, projectId: string): Promise<ExitCode> {
  const { style } = call;
  const value = valueOf(await showCall(call, { doing: 'asking GitHub' }, () => call.client.issues.list(projectId)));
  await print(call.output, {
    value,
    ids: () => value.map(({ number }) => String(number)),
    lines: () =>
      table(value, {
        style,
        none: 'No open issues.',
        columns: [
          { head: 'NUMBER', cell: ({ number }) => String(number), paint: style.accent },
          { head: 'TITLE', cell: ({ title }) => title },
        ],
      }),
  });
  return EXIT.done;
}

function importLines({ imported, known, refused }: ImportedIssues): ReadonlyArray<string> {
  return [
    `${imported.length} imported, ${known.length} already known, ${refused.length} refused.`,
    ...imported.map(({ key, title }) => `${key}  ${title}`),
    ...refused.map(({ number, message }) => `#${number}: ${message}`),
  ];
}

export const define = noun({
  description: 'Imports tasks from elsewhere, and shows the settings of other agents.',
  verbs: IMPORT_VERBS,
});
