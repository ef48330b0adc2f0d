/** When two lines count as equal, from strict to lenient. The first rule that finds the lines decides. */
export type Rule = {
  readonly name: 'exact' | 'trailing white space' | 'white space' | 'punctuation' | 'white space and punctuation';
  /** Lines with the same key are equal under this rule. */
  readonly key: (line: string) => string;
};

/** What two texts may differ in and still count as equal. */
export type Overlooked = 'line ends' | Exclude<Rule['name'], 'exact'>;

export const RULES: ReadonlyArray<Rule> = [
  { name: 'exact', key: (line) => line },
  { name: 'trailing white space', key: (line) => line.trimEnd() },
  { name: 'white space', key: singleSpaced },
  { name: 'punctuation', key: plainPunctuation },
  { name: 'white space and punctuation', key: (line) => singleSpaced(plainPunctuation(line)) },
];

/** Under these rules the indentation may differ. */
export function ignoresIndentation(rule: Rule): boolean {
  return rule.name === 'white space' || rule.name === 'white space and punctuation';
}

export function singleSpaced(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ');
}

/** Models often write plain characters where a file has typographic ones. Each maps to exactly one character. */
export function plainPunctuation(line: string): string {
  return line.replaceAll(TYPOGRAPHIC, (character) => PLAIN.get(character) ?? character);
}

const FAMILIES: ReadonlyArray<readonly [plain: string, typographic: string]> = [
  ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d'],
  ["'", '\u2018\u2019\u201a\u201b\u2032\u02bc\uff07'],
  ['"', '\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02'],
  [' ', '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'],
];

const PLAIN = new Map(
  FAMILIES.flatMap(([plain, characters]) => Array.from(characters, (one) => [one, plain] as const)),
);
const TYPOGRAPHIC = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'g');
