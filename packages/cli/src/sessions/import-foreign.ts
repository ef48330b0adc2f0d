import { homedir } from 'node:os';
import { createRedactor, secretValues } from '@attractor/redact';
import {
  findForeignSessions,
  FOREIGN_AGENTS,
  type ForeignAgent,
  type FoundSession,
  importForeignSession,
} from '@attractor/journal';
import { CommandFailure, EXIT, readableText, putText } from '@attractor/console';
import { homeFolder } from '../settings.ts';
import { orFail } from './found.ts';
import { jsonLine, say } from './subcommands.ts';

const AGENTS: ReadonlyArray<ForeignAgent> = FOREIGN_AGENTS;

type Flags = { readonly json?: boolean; readonly from: string; readonly limit: number };

/** `attractor sessions import --from <agent> [file]`: imports one, or lists what can be imported. */
export async function importForeign(file: string | undefined, flags: Flags): Promise<number> {
  const from = AGENTS.find((agent) => agent === flags.from);
  if (from === undefined)
    throw new CommandFailure(`--from: expected ${AGENTS.join(', ')}, not '${flags.from}'.`, EXIT.usage);
  if (file === undefined) return list(from, flags);
  const redactor = createRedactor({ secrets: secretValues(process.env) });
  const imported = orFail(importForeignSession({ home: homeFolder(process.env), from, file, redactor }));
  await say(flags.json === true ? jsonLine(imported) : `${imported.id}\n`);
  if (flags.json !== true && imported.left.length > 0)
    putText(process.stderr, `attractor: not imported: ${readableText(imported.left.join(', '))}.\n`);
  return EXIT.done;
}

async function list(from: ForeignAgent, { json, limit }: Flags): Promise<number> {
  const found = findForeignSessions({ userHome: process.env['HOME'] ?? homedir(), from, limit });
  for (const one of found) await say(json === true ? jsonLine(one) : personLine(one));
  if (found.length === 0 && json !== true)
    putText(process.stderr, `attractor: no sessions of ${from} in the home folder: give the path of a file.\n`);
  return EXIT.done;
}

function personLine({ file, updatedAt, bytes }: FoundSession): string {
  return `${updatedAt.slice(0, 16).replace('T', ' ')}  ${Math.ceil(bytes / 1024)} KB  ${readableText(file)}\n`;
}
