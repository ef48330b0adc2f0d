/*
 * claude   = { text | "!`" command "`" | "@" path | value }     commands of Claude Code, opencode, Codex, pi, Cline; skills
 * value    = "$ARGUMENTS" [ "[" n "]" ] | "$" n | "$" name | "$@" | "${CLAUDE_SESSION_ID}" | "${CLAUDE_SKILL_DIR}"
 * gemini   = { text | "!{" command "}" | "@{" path "}" | "{{args}}" }
 *
 * Commands and files are found in the template before any value is inserted: a caller's text is never run because of its form.
 */
export type TemplateForm = 'claude' | 'gemini';

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'file'; readonly text: string; readonly written: string };

export function templateParts(template: string, form: TemplateForm): ReadonlyArray<TemplatePart> {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const { from, to, part } of form === 'claude' ? claudeParts(template) : geminiParts(template)) {
    if (from > at) parts.push({ kind: 'text', text: template.slice(at, from) });
    parts.push(part);
    at = to;
  }
  if (at < template.length) parts.push({ kind: 'text', text: template.slice(at) });
  return parts;
}

export function hasCommands(template: string, form: TemplateForm): boolean {
  return templateParts(template, form).some(({ kind }) => kind === 'command');
}

type Placed = { readonly from: number; readonly to: number; readonly part: TemplatePart };

const CLAUDE = /!`([^`\n]+)`|(?<![\w`@/])@((?:~\/|\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*)/g;

function* claudeParts(template: string): Generator<Placed> {
  for (const { index, 0: written, 1: command, 2: file } of template.matchAll(CLAUDE)) {
    const to = index + written.length;
    if (command !== undefined) yield { from: index, to, part: { kind: 'command', text: command } };
    else if (file !== undefined)
      yield { from: index, to, part: { kind: 'file', text: file.replace(/\.$/, ''), written } };
  }
}

function* geminiParts(template: string): Generator<Placed> {
  const opening = /[!@]\{/g;
  for (let match = opening.exec(template); match !== null; match = opening.exec(template)) {
    const to = closingBrace(template, match.index + 2);
    if (to === null) return;
    const written = template.slice(match.index, to);
    const text = written.slice(2, -1).trim();
    const part: TemplatePart = written.startsWith('!') ? { kind: 'command', text } : { kind: 'file', text, written };
    yield { from: match.index, to, part };
    opening.lastIndex = to;
  }
}

/** The position after the closing brace; null if there is none. */
function closingBrace(text: string, from: number): number | null {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return null;
}
