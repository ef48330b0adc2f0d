import type { SearchHit, SessionSummary, TurnEntry } from '@attractor/journal';
import { readableText, createStyle, type Style } from '@attractor/console';

/** Lines for a person. Text from models, tools and files is escaped for the terminal. */
export function sessionLine(session: SessionSummary): string {
  const style = styleOf();
  const facts = [
    session.updatedAt.slice(0, 16).replace('T', ' '),
    `${session.turns} turns`,
    session.cost === null ? 'cost unknown' : `$${session.cost.toFixed(4)}`,
    session.model ?? 'no model yet',
    session.cwd,
    ...(session.writer === null ? [] : [`in use by process ${session.writer}`]),
  ];
  return `${style.accent(session.id)}  ${title(session, style)}\n  ${style.dim(readableText(facts.join(' · ')))}\n`;
}

function title({ title: text }: SessionSummary, style: Style): string {
  return text === '' ? style.dim('(empty so far)') : style.bold(readableText(text));
}

export function hitLine({ session, turn, kind, excerpt }: SearchHit): string {
  const style = styleOf();
  return `${style.accent(session.id)} ${style.dim(`turn ${turn} ${NAMES[kind]}`)}  ${readableText(excerpt)}\n`;
}

const NAMES: Readonly<Record<TurnEntry['kind'], string>> = {
  user: 'input',
  steering: 'steering',
  assistant: 'reply',
  tool_results: 'results',
};

const MAX_LINES = 12;

export function turnText(entry: TurnEntry, { full }: { readonly full: boolean }): string {
  const style = styleOf();
  const head = style.dim(`── ${entry.turn} ${NAMES[entry.kind]}${entry.complete ? '' : ' (waits for results)'}`);
  const calls = entry.calls.map(
    ({ toolName, args }) => `${style.accent(readableText(toolName))} ${shorten(JSON.stringify(args), full)}`,
  );
  const results = entry.results.map(({ toolName, output, isError }) => {
    return `${(isError ? style.bad : style.good)(readableText(toolName))} ${shorten(output, full)}`;
  });
  const text = entry.text === '' ? [] : [readableText(entry.text)];
  return `${[head, ...text, ...calls, ...results].join('\n')}\n`;
}

function shorten(text: string, full: boolean): string {
  const lines = text.split('\n');
  if (full || lines.length <= MAX_LINES) return readableText(text);
  return `${readableText(lines.slice(0, MAX_LINES).join('\n'))}\n… ${lines.length - MAX_LINES} more lines (--full shows all)`;
}

function styleOf(): Style {
  return createStyle(process.stdout, process.env);
}
