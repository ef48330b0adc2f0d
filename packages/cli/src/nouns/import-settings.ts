import { homedir } from 'node:os';
import { FOREIGN_NAMES, type ForeignRow, importedSettings } from '@attractor/headless';
import { existingFolder } from '../existing-folder.ts';
import { CommandFailure, EXIT, type ExitCode } from '@attractor/console';
import { homeFolder } from '../settings.ts';
import { table, print } from '@attractor/console/lines';
import type { LoneCall } from '../verbs/verb.ts';

/** `attractor import settings`. */
export async function importSettings({ flags, output, style, say }: LoneCall): Promise<ExitCode> {
  const from = flags.text('from');
  const agent = from === undefined ? null : FOREIGN_NAMES[from];
  if (agent === undefined)
    throw new CommandFailure(`--from: expected ${Object.keys(FOREIGN_NAMES).join(', ')}, not '${from}'.`, EXIT.usage);
  const userHome = process.env['HOME'] ?? homedir();
  const folder = existingFolder('--cwd', flags.text('cwd') ?? process.cwd());
  const all = await importedSettings({ home: homeFolder(process.env), userHome, folder, env: process.env });
  const rows = all.filter((row) => agent === null || row.agent === agent);
  const paint = (text: string, { state }: ForeignRow): string =>
    state === 'obeyed' ? style.good(text) : state === 'refused' ? style.bad(text) : style.dim(text);
  const short = (file: string): string => (file.startsWith(`${userHome}/`) ? `~${file.slice(userHome.length)}` : file);
  await print(output, {
    value: rows,
    ids: () => rows.map(({ key }) => key),
    lines: () =>
      table(rows, {
        style,
        none: `Nothing of ${from ?? 'another agent'} is here.`,
        columns: [
          { head: 'STATE', cell: ({ state }) => state, paint },
          { head: 'KEY', cell: ({ key }) => key },
          { head: 'FILE', cell: ({ file, line }) => `${short(file ?? '')}${line === null ? '' : `:${line}`}` },
          { head: 'HERE', cell: ({ as, reason }) => reason ?? as ?? '' },
        ],
      }),
  });
  const count = (state: ForeignRow['state']): number => rows.filter((row) => row.state === state).length;
  say(`${count('obeyed')} obeyed, ${count('not obeyed')} not obeyed, ${count('refused')} refused.`);
  return rows.some(({ stops }) => stops === true) ? EXIT.refused : EXIT.done;
}
