/** A part of a profile's base text. A line that is about tools (by the house's names for them) is said only where the session has all of them. */
export type SystemTextSection = {
  /** Absent: the lines stand alone, as at the beginning. */
  readonly title?: string;
  readonly lines: ReadonlyArray<SystemTextLine>;
};

export type SystemTextLine = string | { readonly about: ReadonlyArray<string>; readonly say: string };

/** By the house's name of each tool that is there: the name that the model knows it by. */
export type ShownNames = ReadonlyMap<string, string>;

/** Layer 1 of the system prompt, true for the given tools. A section with nothing left to say is left out. */
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

/** Names of one word (grep, shell) are words of the language too, and stay. */
function spelled(text: string, toolNames: ShownNames): string {
  return text.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => toolNames.get(name) ?? name);
}
