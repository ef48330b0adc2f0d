const PLAIN = /^[\w ./:=,@%+-]*$/;

/** The text as one bash word, byte for byte, in ASCII. */
export function bashWord(text: string): string {
  if (PLAIN.test(text)) return `'${text}'`;
  return `$'${[...Buffer.from(text, 'utf8')].map(escaped).join('')}'`;
}

const QUOTE = 0x27;
const BACKSLASH = 0x5c;

/** Always three digits, so that no following digit is taken as part of it. */
function escaped(byte: number): string {
  if (byte >= 0x20 && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH) return String.fromCharCode(byte);
  return `\\${byte.toString(8).padStart(3, '0')}`;
}
