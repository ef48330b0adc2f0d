import { parseLimitEnd } from './limit-end.ts';

/**
 * Whether a program says at its end that its provider lets it work no more. Work may be about limits too: what counts is where and how it is
 * said, not the words alone.
 *
 *   statement = { label } wording tail     within the last lines, as a line of its own ;
 *   label     = a time | "Error:" | "API Error:" | a provider's or program's name with ":" | a status of HTTP … ;
 *   wording   = "you've hit your … limit" | "… limit reached" | "too many requests" | "quota exceeded" | an error of a provider as JSON … ;
 *   tail      = nothing | what it is for | what to do about it | the time at which it ends …
 *
 * With the time at which it ends it counts in whatever way the program ended; without, only of a program that failed.
 */
export function statedLimit(output: string, { failed }: { readonly failed: boolean }): string | null {
  const last = lastLines(output);
  if (last.length > MAX_CHARS || last.includes('<<<')) return null;
  const lines = last.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line, index) => index >= lines.length - MAX_LINES && isStatement(line));
  if (at === -1) return null;
  const hasEnd = parseLimitEnd(lines.slice(at).join('\n'), new Date()) !== null;
  return failed || hasEnd ? last : null;
}

/** The last paragraph: what a program says when it can do no more stands by itself. */
export function lastLines(output: string): string {
  return (
    output
      .trim()
      .split(/\n[ \t]*\r?\n/)
      .at(-1) ?? ''
  );
}

/** Long enough for a sentence with its time, too short for a report that is about limits. */
const MAX_CHARS = 400;
const MAX_LINES = 3;

function isStatement(line: string): boolean {
  const said = line.replace(LABELS, '');
  return STATEMENT.test(said) || (said.startsWith('{') && ERROR_OF_PROVIDER.test(said));
}

const LABELS =
  /^(?:[\s⚠❌■!>]+|\[[^\]]{1,40}\]|\d{4}-\d\d-\d\dT[\d:.]+Z?|(?:(?:api|stream|request|fatal|server|http|internal|unexpected|last) )*(?:error|fatal|warning|status|failed)\b(?: code)?:?|(?:claude(?: code| ai)?|codex|gemini|openai|anthropic|google)(?: error)?\b:?|(?:http(?:\/[\d.]+)? )?429\b:?)+/iu;

/** Of which kind, or of what model, plan or span: no other words, or any sentence that speaks of a limit would be one. */
const KIND = String.raw`(?:usage|rate|api|requests?|tokens?|messages?|session|hourly|daily|weekly|monthly|minute|day|per|current|account|organization|project|plan|free|pro|max|tier|credits?|spend(?:ing)?|model|claude|opus|sonnet|haiku|gpt|codex|gemini|flash|[\w.-]*\d[\w.-]*)`;
const SUBJECT = String.raw`(?:the |your |an? |this )?(?:${KIND} ){0,5}(?:limit|quota)s?`;
const WORDINGS = [
  String.raw`(?:you(?:['’]ve| have)?|(?:this |your )?account has) (?:hit|reached|exceeded|used up|run out of|exhausted) (?:your|the|its)\b[^.\n]{0,60}?(?:limit|quota|capacity|credits?)\b[^.\n|∙·]{0,40}`,
  String.raw`${SUBJECT} (?:(?:has|have) been |was |is )?(?:reached|exceeded|hit|exhausted|used up)`,
  String.raw`too many requests`,
  String.raw`resource(?: has been |[_ ]?)exhausted(?: \([^)]*\))?`,
  String.raw`exceeded retry limit, last status:? 429[\w ]*`,
  String.raw`rate[- _]?limited`,
];
const TAIL = String.raw`\s*(?:$|[.!|∙·(]|[,;:–-]?\s*(?:for|on|in|of|please|try|retry|retry-after|wait|upgrade|visit|see|contact|until|your?|access|it|they|resets?|available|will|and (?:it )?resets?)\b)`;

const STATEMENT = new RegExp(`^(?:${WORDINGS.join('|')})${TAIL}`, 'i');

const ERROR_OF_PROVIDER =
  /"(?:code|status|type)"\s*:\s*"?(?:429|resource_exhausted|rate_limit(?:_error|_exceeded)?|insufficient_quota|usage_limit_reached)\b/i;
