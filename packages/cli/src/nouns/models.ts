import { bundledCatalog, listModels, type ModelInfo } from '@attractor/llm';
import { readOwnModels, removeOwnModels, takeOverModels } from '@attractor/settings';
import { CommandFailure, EXIT, type ExitCode } from '@attractor/console';
import { homeFolder } from '../home-folder.ts';
import { table, print } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import type { LoneCall } from '../verbs/verb.ts';

/** The table of models: what is known, and from where. */
export const define = noun({
  description: 'What is known about models: windows and prices, and where they come from.',
  verbs: [
    {
      name: 'list',
      summary: 'list the models that are known, with their windows and prices',
      flags: [{ flag: '--provider <id>', about: 'only those of this one' }],
      notes: 'Models that are not listed work too, but their windows and prices are unknown.',
      examples: ['models list', 'models list --provider anthropic', 'models list --json'],
      runAlone: list,
    },
    {
      name: 'refresh',
      summary: 'import windows and prices from a file or an address',
      flags: [
        { flag: '--from <place>', about: 'a JSON table: a file or an address (default: where the last one came from)' },
      ],
      notes:
        'The table is { "models": [{ "id", "provider", "contextWindow", "maxOutput", "prices": [{ "input", "output" }] }] }, prices in dollars\nfor a million tokens, or one in the form of models.dev. Its rows take precedence over those of the program. It is kept as models.json in the\nhome folder; `attractor models reset` goes back. A table with a mistake is refused and changes nothing.',
      examples: ['models refresh --from prices.json', 'models refresh'],
      runAlone: refresh,
    },
    {
      name: 'reset',
      summary: 'go back to the table that came with the program',
      examples: ['models reset'],
      runAlone: reset,
    },
  ],
});

async function list({ flags, output, style, say }: LoneCall): Promise<ExitCode> {
  const value = listModels(flags.text('provider'));
  const columns = [
    { head: 'PROVIDER', cell: ({ provider }: ModelInfo) => provider },
    { head: 'MODEL', cell: ({ id }: ModelInfo) => id, paint: style.accent },
    { head: 'WINDOW', cell: ({ contextWindow }: ModelInfo) => contextWindow.toLocaleString('en') },
    { head: 'IN $/M', cell: ({ prices }: ModelInfo) => String(prices.at(-1)?.input ?? '') },
    { head: 'OUT $/M', cell: ({ prices }: ModelInfo) => String(prices.at(-1)?.output ?? '') },
  ];
  await print(output, { value, lines: () => table(value, { style, none: 'No models are known there.', columns }) });
  const own = readOwnModels(homeFolder(process.env));
  if (own === null) say(`Prices of ${bundledCatalog().pricesAsOf}, which came with the program.`);
  else say('problem' in own ? own.problem : `Some rows are from ${own.from}, taken over on ${own.at.slice(0, 10)}.`);
  return EXIT.done;
}

const CODES = { unnamed: EXIT.usage, unreadable: EXIT.notFound, unreachable: EXIT.failed, mistaken: EXIT.refused };

async function refresh({ flags, output }: LoneCall): Promise<ExitCode> {
  const done = await takeOverModels(homeFolder(process.env), flags.text('from'));
  if (!done.ok) throw new CommandFailure(done.message, CODES[done.why]);
  const { ok: _ok, ...value } = done;
  const line = `${value.models} models from ${value.from} are used now; \`attractor models reset\` goes back.`;
  await print(output, { value, lines: () => [line], ids: () => [value.file] });
  return EXIT.done;
}

async function reset({ output }: LoneCall): Promise<ExitCode> {
  const wasThere = removeOwnModels(homeFolder(process.env));
  const line = `The table that came with the program is used${wasThere ? ' again' : ' anyway'}.`;
  await print(output, { value: { wasThere }, lines: () => [line], ids: () => [] });
  return EXIT.done;
}
