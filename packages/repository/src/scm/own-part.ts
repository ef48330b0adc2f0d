const FROM = '<!-- attractor:work -->';
const TO = '<!-- /attractor:work -->';
const OWN = new RegExp(`${FROM}\\r?\\n([\\s\\S]*?)\\r?\\n${TO}`);

/** A text of ours as a part of one that people may write on: the marks are not shown. */
export function markOwn(text: string): string {
  return `${FROM}\n${text.replaceAll(TO, '')}\n${TO}`;
}

/** The whole with our part told anew. Null if there is nothing to change: it says so already, or a person took our part out. */
export function retellOwn(whole: string, text: string): string | null {
  const told = OWN.exec(whole)?.[1];
  if (told === undefined || sameText(told, text.replaceAll(TO, ''))) return null;
  return whole.replace(OWN, () => markOwn(text));
}

/** A forge may keep lines with other ends. */
function sameText(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n').trim() === other.replaceAll('\r\n', '\n').trim();
}
