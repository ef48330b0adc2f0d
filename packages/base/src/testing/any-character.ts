import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const LAST = 0x10_ffff - SURROGATES.count;

/**
 * Any character, for the `unit` of generated strings. fast-check's own unit `binary` draws from the same ones, but puts them all into a
 * table first: that takes a second, and its 86 MB stay with the process, which every start of a child then copies the page table of.
 */
export function anyCharacter(): fc.Arbitrary<string> {
  return fc
    .integer({ min: 0, max: LAST })
    .map((at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count));
}
