/** A part of a profile's base text. A line about tools (under their own names) is included only if the session has all of them. */
export type SystemTextSection = {
  /** Absent: the lines have no heading, as at the beginning. */
  readonly title?: string;
  readonly lines: ReadonlyArray<SystemTextLine>;
};

export type SystemTextLine = string | { readonly about: ReadonlyArray<string>; readonly say: string };

/** By a tool's own name: the name that the model knows it by. Contains only the tools that are offered. */
export type ShownNames = ReadonlyMap<string, string>;

/** Layer 1 of the system text, true for the given tools. A section without lines is left out. */
export function renderSections(sections: ReadonlyArray<SystemTextSection>, toolNames: ShownNames): string {
  return sections
    .map(({ title, lines }) => ({ title, said: lines.flatMap((line) => textOf(line, toolNames)) }))
    .filter(({ said }) => said.length > 0)
    .map(({ title, said }) =>
      title === undefined ? said.join('\n') : [title, ...said.map((line) => `- ${line}`)].join('\n'),
    )
    .join('\n\n');
}

function textOf(line: SystemTextLine, toolNames: ShownNames): ReadonlyArray<string> {
  if (typeof line === 'string') return [line];
  return line.about.every((name) => toolNames.has(name)) ? [spelled(line.say, toolNames)] : [];
}

/** Names of one word (grep, shell) are also ordinary words, and stay. */
function spelled(text: string, toolNames: ShownNames): string {
  return text.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => toolNames.get(name) ?? name);
}
