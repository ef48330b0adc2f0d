import { asShellWord, putInClaudeValues, takesArguments, type TemplateValues } from './put-in-values.ts';
import { type TemplateForm, type TemplatePart, templateParts } from '../template/template.ts';

export type Expanded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** What a template may do outside; the caller that provides these judges it. */
export type ExpandPorts = {
  /** The output of a command, or why it did not run. */
  readonly run: (command: string) => Promise<Expanded>;
  /** The text of a file, or null if there is none to read. */
  readonly read: (file: string) => Promise<string | null>;
};

export type Template = { readonly text: string; readonly form: TemplateForm };

/**
 * The text of a template with its commands run and its files read. If one command is not allowed to run there is no text at all: half of it
 * could mean something else.
 */
export async function expandTemplate(
  { text, form }: Template,
  values: TemplateValues,
  ports: ExpandPorts,
): Promise<Expanded> {
  const said: string[] = [];
  for (const part of templateParts(text, form)) {
    const expanded = await PARTS[part.kind](part, { form, values, ports });
    if (!expanded.ok) return expanded;
    said.push(expanded.text);
  }
  const rest = values.arguments === '' || takesArguments(text, values.names) ? '' : APPENDED[form](values.arguments);
  return { ok: true, text: said.join('') + rest };
}

const APPENDED: Readonly<Record<TemplateForm, (given: string) => string>> = {
  claude: (given) => `\n\nARGUMENTS: ${given}`,
  gemini: (given) => `\n\n${given}`,
};

type Filling = { readonly form: TemplateForm; readonly values: TemplateValues; readonly ports: ExpandPorts };
type Fill = (part: TemplatePart, filling: Filling) => Promise<Expanded>;

const PARTS: Readonly<Record<TemplatePart['kind'], Fill>> = {
  text: async ({ text }, { form, values }) => ({
    ok: true,
    text: form === 'claude' ? putInClaudeValues(text, values) : text.replaceAll('{{args}}', () => values.arguments),
  }),
  // In Gemini's form arguments are one word of the command; in Claude's they are inserted as they are and judged with the rest.
  command: async ({ text }, { form, values, ports }) =>
    ports.run(
      form === 'claude'
        ? putInClaudeValues(text, values)
        : text.replaceAll('{{args}}', () => asShellWord(values.arguments)),
    ),
  file: async (part, { values, form, ports }) => {
    const file = form === 'claude' ? putInClaudeValues(part.text, values) : part.text;
    const content = await ports.read(file);
    const written = part.kind === 'file' ? part.written : part.text;
    return { ok: true, text: content === null ? written : fileBlock(file, content) };
  },
};

function fileBlock(file: string, content: string): string {
  return `\n<file path="${file}">\n${content.trimEnd()}\n</file>\n`;
}
