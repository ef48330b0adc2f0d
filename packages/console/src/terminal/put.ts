import { HOSTILE } from './escape.ts';

/** A stream of this process, or one like it. */
export type Outlet = {
  readonly isTTY?: boolean;
  readonly write: (text: string | Uint8Array) => boolean;
};

/**
 * Everything that the command prints goes through here, so that nothing that a model, a tool or a file said reaches a terminal as a control
 * character, by whatever route. What is not a terminal gets the text byte for byte. False: wait until it drained.
 */
export function putText(stream: Outlet, text: string): boolean {
  clearStatus();
  return stream.write(stream.isTTY === true ? harmless(text) : text);
}

/** The same, with the colours of `createStyle` left in; texts from outside were made readable before they were styled. */
export function putStyled(stream: Outlet, text: string): boolean {
  clearStatus();
  return stream.write(stream.isTTY === true ? harmlessStyled(text) : text);
}

let status: Outlet | null = null;

/** One line on a terminal that says what is being done. The next one replaces it, and it is gone before anything else is printed. */
export function putStatus(stream: Outlet, text: string): void {
  if (stream.isTTY !== true) return;
  clearStatus();
  stream.write(harmless(text.replaceAll(/\s+/g, ' ')));
  status = stream;
}

export function clearStatus(): void {
  status?.write(EMPTY_LINE);
  status = null;
}

const EMPTY_LINE = '\r\u001b[2K';

/** What a terminal may be given: our own colours, and nothing else that it obeys. */
export function harmlessStyled(text: string): string {
  return text
    .split(COLOUR)
    .map((piece, index) => (index % 2 === 1 ? piece : harmless(piece)))
    .join('');
}

/** Bytes as they are; on a terminal their text. */
export function putBytes(stream: Outlet, bytes: Uint8Array): boolean {
  return stream.isTTY === true ? putText(stream, Buffer.from(bytes).toString()) : stream.write(bytes);
}

const COLOUR = /(\u001b\[(?:1|2|22|31|32|36|39)m)/;

/** As JSON writes it, so that a line of JSON stays one. */
function harmless(text: string): string {
  return text.replace(HOSTILE, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
