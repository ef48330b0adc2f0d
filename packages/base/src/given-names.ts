/** Letters, marks and signs that a person sees; fillers count as letters and show nothing. */
const SEEN = /(?![\u115F\u1160\u2800\u3164\uFFA0])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Control characters, halves of characters, and those that break a line or turn the direction of the text around a name. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** What is expected of a name that a person gives and this one is not; null: nothing. Blanks around it do not count. */
export function expectedOfName(given: string, longest: number): string | null {
  const name = given.trim();
  if (!SEEN.test(name)) return 'a letter, a digit or a sign that can be seen';
  if (name === '.' || name === '..') return 'more than dots';
  if (UNFIT.test(name)) return 'no control characters, no line breaks and nothing that turns text around';
  return name.length > longest ? `at most ${longest} characters` : null;
}

const ID = /^[A-Za-z0-9][\w-]{0,63}$/;

/** What is expected of an id that a person gives and this one is not; null: nothing. It stands in addresses, commands and files. */
export function expectedOfId(id: string): string | null {
  if (!ID.test(id)) return '1 to 64 letters, digits, - and _, the first a letter or a digit';
  return id.toLowerCase() === 'new' ? 'another id: "new" is the address of the page for new ones' : null;
}
