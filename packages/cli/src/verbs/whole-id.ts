import { type ApiClient, type Candidate, CANDIDATES_SHOWN, ID_KINDS } from '@attractor/api';
import { CommandFailure, EXIT } from '../exit.ts';
import { readableText } from '../terminal/escape.ts';
import { valueOf } from './value-of.ts';

/**
 * Completes an abbreviated id of any type. A complete id, an unknown type and a prefix without a match are returned unchanged: the API then
 * reports that there is no such thing. An ambiguous prefix stops the command.
 */
export async function wholeId(client: ApiClient, given: string): Promise<string> {
  const begins = SHORT.exec(given)?.[1];
  const kind = ID_KINDS.find(({ prefix }) => prefix === begins);
  if (kind === undefined) return given;
  const found = valueOf(await kind.candidates(client, given)).filter(({ id }) => id.startsWith(given));
  if (found.some(({ id }) => id === given)) return given;
  const [first, second] = found;
  if (second === undefined) return first?.id ?? given;
  throw new CommandFailure(severalText(given, { found, plural: kind.plural }), EXIT.refused);
}

/** A type and some, but not all, of the 27 characters that follow it. They begin with the time, which begins with 0 for ages to come. */
const SHORT = /^([a-z]{3})_0[0-9a-z]{0,25}$/;

function severalText(
  given: string,
  { found, plural }: { readonly found: ReadonlyArray<Candidate>; readonly plural: string },
): string {
  const shown = found.slice(0, CANDIDATES_SHOWN).map(({ id, name }) => `${id} (${oneLine(name)})`);
  const more = found.length > CANDIDATES_SHOWN ? ' and more' : '';
  return `several ${plural} begin with ${given}: ${shown.join(', ')}${more}. Give more of the id.`;
}

const LONGEST_NAME = 60;

function oneLine(name: string): string {
  const text = readableText(name).replaceAll(/\s+/g, ' ');
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text;
}
