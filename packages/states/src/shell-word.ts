/** Text as one word of a POSIX shell's command line. Control characters are left out: they can't be typed. */
export function shellWord(text: string): string {
  const typed = text.replaceAll(/\p{Cc}+/gu, ' ');
  return /^[\w%+,./:@=-]+$/.test(typed) ? typed : `'${typed.replaceAll("'", "'\\''")}'`;
}
