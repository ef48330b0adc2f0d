import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { examineTrust, revokeTrust, type TrustExamination, trustRepository } from '@attractor/settings';
import { CommandFailure, EXIT, unwrap, createStyle, putStyled } from '@attractor/console';
import { homeFolder } from '../settings.ts';
import { confirmTrust } from './confirm.ts';
import { examinationLines } from './examination-lines.ts';

type Place = { readonly cwd?: string; readonly json?: boolean };

export async function show(flags: Place & { readonly full?: boolean }): Promise<number> {
  const examined = examineTrust(folderOf(flags), { home: homeFolder(process.env) });
  print(examined, flags);
  return examined.state === 'trusted' || examined.files.length + examined.problems.length === 0
    ? EXIT.done
    : EXIT.refused;
}

export async function grant(flags: Place & { readonly yes?: boolean; readonly hash?: string }): Promise<number> {
  const home = homeFolder(process.env);
  const examined = examineTrust(folderOf(flags), { home });
  if (flags.hash !== undefined && flags.hash !== examined.hash)
    throw new CommandFailure(
      `the configuration is not the one with the hash ${flags.hash}: look at it with \`attractor trust show\`.`,
      EXIT.refused,
    );
  if (flags.yes !== true) {
    putStyled(process.stdout, `${examinationLines(examined, { style: styleOf(), full: true }).join('\n')}\n`);
    if (!(await confirmTrust(examined))) return EXIT.refused;
  }
  const trusted = unwrap(await trustRepository(examined, { home }));
  putStyled(
    process.stdout,
    flags.json === true
      ? `${JSON.stringify(summaryOf(trusted))}\n`
      : `Trusted as it is now (${trusted.hash.slice(0, 12)}).\n`,
  );
  return EXIT.done;
}

export async function revoke(flags: Place): Promise<number> {
  const was = unwrap(await revokeTrust(folderOf(flags), { home: homeFolder(process.env) }));
  const said = was ? 'No longer trusted.' : 'It was not trusted.';
  putStyled(process.stdout, `${flags.json === true ? JSON.stringify({ revoked: was }) : said}\n`);
  return EXIT.done;
}

function folderOf({ cwd }: Place): string {
  const folder = resolve(cwd ?? process.cwd());
  if (existsSync(folder) && statSync(folder).isDirectory()) return folder;
  throw new CommandFailure(`--cwd: ${folder} is not a folder.`, EXIT.notFound);
}

function print(examined: TrustExamination, flags: Place & { readonly full?: boolean }): void {
  const lines =
    flags.json === true
      ? [JSON.stringify({ ...summaryOf(examined), difference: examined.difference })]
      : examinationLines(examined, { style: styleOf(), full: flags.full === true });
  putStyled(process.stdout, `${lines.join('\n')}\n`);
}

function summaryOf({ root, state, hash, files, problems }: TrustExamination): object {
  const listed = files.map(({ path, what, sha256 }) => ({ path, what, sha256 }));
  return { root, state, hash, files: listed, problems };
}

function styleOf(): ReturnType<typeof createStyle> {
  return createStyle(process.stdout, process.env);
}
