/** A part of a profile's base text. A line that is about tools is said only where the session has all of them. */
export type PromptSection = {
  /** Absent: the lines stand alone, as at the beginning. */
  readonly title?: string;
  readonly lines: ReadonlyArray<PromptLine>;
};

export type PromptLine = string | { readonly about: ReadonlyArray<string>; readonly say: string };

/** Layer 1 of the system prompt, true for the given tools. A section with nothing left to say is left out. */
export function renderSections(sections: ReadonlyArray<PromptSection>, toolNames: ReadonlySet<string>): string {
  return sections
    .map(({ title, lines }) => ({ title, said: lines.flatMap((line) => textOf(line, toolNames)) }))
    .filter(({ said }) => said.length > 0)
    .map(({ title, said }) =>
      title === undefined ? said.join('\n') : [title, ...said.map((line) => `- ${line}`)].join('\n'),
    )
    .join('\n\n');
}

function textOf(line: PromptLine, toolNames: ReadonlySet<string>): ReadonlyArray<string> {
  if (typeof line === 'string') return [line];
  return line.about.every((name) => toolNames.has(name)) ? [line.say] : [];
}
