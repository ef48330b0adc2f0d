import type { ParsedArguments } from './arguments.ts';

/** Why `printf` with these operands does more than print; null if it does not. The first is the format of all others. */
export function printfSets({ operands }: ParsedArguments): string | null {
  const format = operands[0]?.text ?? '';
  if (operands[0]?.glob === true || operands[0]?.known === false) return 'the format is only known when it runs';
  if (format.startsWith('-')) return 'an option of printf is not known to only print';
  if (asksForMuch(format)) return ENDLESS;
  const conversions = format.replaceAll('%%', '');
  if (SETS.test(conversions)) return 'printf %n sets the variable that it is given';
  return NUMBER.test(conversions) &&
    operands.slice(1).some(({ text, glob, known }) => glob || !known || text.includes('['))
    ? 'some shells evaluate what is printed as a number, and an index can run a command'
    : null;
}

const SETS = /%[^%a-zA-Z(]*[hlLjzt]*n/;
const NUMBER = /%[^%a-zA-Z(]*[hlLjzt]*[diouxXeEfFgGaA]/;
const ENDLESS = 'it may print without end';

/** A width can ask for gigabytes of blanks. */
export function asksForMuch(format: string): boolean {
  return /%[-+ #0'_^|<>(]*(?:\*|\d{5}|\d*\.(?:\*|\d{5}))/.test(format);
}

/** The same for a format, a width or a tab stop given with an option. */
export function widthsEnd({ options, operands }: ParsedArguments): string | null {
  const values = [...options.values()].flat();
  const formats = [...values, ...operands.map(({ text }) => text)];
  return values.some((value) => /^\d{6}/.test(value)) || formats.some(asksForMuch) ? ENDLESS : null;
}
