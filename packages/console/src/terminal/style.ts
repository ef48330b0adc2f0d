/** How text is shown to people. Colour only on a terminal, and if NO_COLOR is not set. */
export type Style = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly accent: (text: string) => string;
  /** The same text with short keys in place of ids, where the command can look them up. */
  readonly named: (text: string) => string;
};

export function createStyle(stream: NodeJS.WriteStream, env: Readonly<Record<string, string | undefined>>): Style {
  const colour = stream.isTTY && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb';
  const paint = (open: number, close: number) => (text: string) =>
    colour ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    good: paint(32, 39),
    bad: paint(31, 39),
    accent: paint(36, 39),
    named: (text) => text,
  };
}
