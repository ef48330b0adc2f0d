import type { Anchor } from './anchors.ts';
import { BASE64_ANY, WORD_DASH } from './characters.ts';
import { codeAt, isWordStart, runEnd, type SearchedText, type Span } from './searched-text.ts';

/** Tokens that are recognised by the lengths of their parts, or by the address that contains them. */
export function shapedAnchors(): ReadonlyArray<Anchor> {
  const exact = (literal: string, match: Anchor['match']): Anchor => ({ literal, letters: 'exact', match });
  const before = (literal: string, match: Anchor['match']): Anchor => ({
    literal,
    letters: 'any',
    stands: 'before',
    match,
  });
  return [
    exact('eyJ', matchJsonWebToken),
    ...DISCORD.map((literal) => exact(literal, matchDiscordToken)),
    exact(':AA', matchTelegramToken),
    before('sig=', matchSharedSignature),
    ...WEBHOOKS.map((literal) => before(literal, matchWebhook)),
  ];
}

export const SHAPED_KINDS = [
  'json-web-token',
  'discord-token',
  'telegram-token',
  'azure-signature',
  'webhook',
] as const;

const DOT = 46;
const SLASH = 47;

/** Three parts, the first a JSON object; or two, if both are. */
function matchJsonWebToken(searched: SearchedText, at: number): Span | null {
  if (!isWordStart(searched, at)) return null;
  const header = runEnd(searched, at, WORD_DASH);
  if (header - at < 13 || codeAt(searched, header) !== DOT) return null;
  const payload = runEnd(searched, header + 1, WORD_DASH);
  const isJson = searched.text.startsWith('eyJ', header + 1) && payload - header > 8;
  let end = payload;
  while (codeAt(searched, end) === DOT) {
    const next = runEnd(searched, end + 1, WORD_DASH);
    if (next === end + 1 && codeAt(searched, next) !== DOT) break;
    end = next;
  }
  const isSigned = end - payload > 10;
  return isJson || isSigned ? { start: at, end, kind: 'json-web-token' } : null;
}

/** Base64 of a number of 17 to 20 digits, a time, a signature. */
const DISCORD = ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'];

function matchDiscordToken(searched: SearchedText, at: number): Span | null {
  if (!isWordStart(searched, at)) return null;
  const id = runEnd(searched, at, WORD_DASH);
  if (id - at < 22 || id - at > 30 || codeAt(searched, id) !== DOT) return null;
  const time = runEnd(searched, id + 1, WORD_DASH);
  if (time - id < 6 || time - id > 9 || codeAt(searched, time) !== DOT) return null;
  const end = runEnd(searched, time + 1, WORD_DASH);
  return end - time > 25 ? { start: at, end, kind: 'discord-token' } : null;
}

/** A number, a colon, 35 characters that begin with AA. The number is public. */
function matchTelegramToken(searched: SearchedText, at: number): Span | null {
  if (!/(?<!\d)\d{8,10}$/.test(searched.text.slice(Math.max(0, at - 11), at))) return null;
  const end = runEnd(searched, at + 1, WORD_DASH);
  return end - at > 33 ? { start: at + 1, end, kind: 'telegram-token' } : null;
}

/** The signature in a signed address: the address alone gives access. */
function matchSharedSignature(searched: SearchedText, at: number): Span | null {
  if (!/[?&;]/.test(searched.text[at - 1] ?? '')) return null;
  const from = at + 4;
  searched.secretFrom = from;
  const end = runEnd(searched, from, BASE64_ANY);
  return end - from >= 32 ? { start: from, end, kind: 'azure-signature' } : null;
}

/** The ends of addresses of Slack, Discord, Teams and Telegram that need no other proof. What follows is the secret. */
const WEBHOOKS = ['hooks.slack.com/', '/api/webhooks/', 'webhook.office.com/', 'm.org/bot'];

function matchWebhook(searched: SearchedText, at: number, literal: string): Span | null {
  const from = at + literal.length;
  searched.secretFrom = from;
  let end = runEnd(searched, from, BASE64_ANY);
  while (codeAt(searched, end) === SLASH) end = runEnd(searched, end + 1, BASE64_ANY);
  return end - from >= 8 ? { start: from, end, kind: 'webhook' } : null;
}
