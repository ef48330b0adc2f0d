import path from 'node:path';
import type { ShellPart } from '@attractor/shell';

/** Programs that fetch the addresses they are given. */
const FETCHERS: ReadonlySet<string> = new Set('aria2c axel curl http https lynx w3m wget xh'.split(' '));
const GIT_TALKS: ReadonlySet<string> = new Set('clone fetch ls-remote pull push'.split(' '));

/** The addresses of the web that a part of a command is sure to ask: those among its words. */
export function fetchedAddresses({ argv, words }: ShellPart): ReadonlyArray<string> {
  const [name = '', ...given] = argv ?? words ?? [];
  const program = path.basename(name);
  const fetches = FETCHERS.has(program) || (program === 'git' && given.some((word) => GIT_TALKS.has(word)));
  return fetches ? given.filter((word) => /^https?:\/\/[^\s$`]+$/i.test(word)) : [];
}
