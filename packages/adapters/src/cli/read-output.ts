import { StringDecoder } from 'node:string_decoder';
import type { AgentMessageBody, TokenUsage } from '../agent.ts';
import type { CliDefinition } from './definition.ts';
import { readLine } from './line-rules.ts';

/** What the output means, as far as it has arrived. */
export type OutputReader = {
  readonly push: (chunk: Buffer) => void;
  readonly end: () => void;
  /** The last text, or the end of all text: where markers are. */
  readonly finalText: () => string;
  readonly usage: () => TokenUsage;
};

type Heard = {
  readonly tell: (body: AgentMessageBody) => void;
  readonly live: (text: string) => void;
};

const MAX_MESSAGE = 16_000;
const MAX_LINE = 4 << 20;
const MAX_FINAL = 200_000;
/** The limit for all messages of one start; more is only in the output's file. */
const MAX_TOLD = 8 << 20;
const MAX_NOTICES = 50;

export function createOutputReader(definition: Pick<CliDefinition, 'output' | 'lines'>, heard: Heard): OutputReader {
  const bounded = boundTelling(heard.tell);
  return definition.output === 'text'
    ? readText({ ...heard, tell: bounded })
    : readJsonLines(definition.lines, { ...heard, tell: bounded });
}

/** Paragraphs become messages; markers are searched in the end of the whole. */
function readText({ tell, live }: Heard): OutputReader {
  const decoder = new StringDecoder('utf8');
  let open = '';
  let all = '';
  const take = (text: string): void => {
    if (text === '') return;
    live(text);
    all = `${all}${text}`.slice(-MAX_FINAL);
    open += text;
    const parts = open.split(/\n[ \t]*\r?\n/);
    open = parts.pop() ?? '';
    for (const part of parts) tellPiece(part, tell);
    while (open.length > MAX_MESSAGE) {
      tellPiece(open.slice(0, MAX_MESSAGE), tell);
      open = open.slice(MAX_MESSAGE);
    }
  };
  return {
    push: (chunk) => take(decoder.write(chunk)),
    end: () => {
      take(decoder.end());
      tellPiece(open, tell);
      open = '';
    },
    finalText: () => all.trim(),
    usage: () => UNKNOWN,
  };
}

const UNKNOWN: TokenUsage = { inputTokens: 0, outputTokens: 0, totalCost: null };

function tellPiece(text: string, tell: Heard['tell']): void {
  if (text.trim() !== '') tell({ kind: 'text', text: text.replaceAll(/^\n+|\s+$/g, '') });
}

function readJsonLines(rules: CliDefinition['lines'], { tell, live }: Heard): OutputReader {
  const decoder = new StringDecoder('utf8');
  let [open, isTooLong, count, notices, finalText] = ['', false, 0, 0, ''];
  let usage: TokenUsage | null = null;
  const take = (line: string): void => {
    if (line.trim() === '') return;
    count += 1;
    const parsed = parse(line);
    if (parsed === undefined) {
      notices += 1;
      if (notices <= MAX_NOTICES) tell({ kind: 'notice', level: 'info', text: line.slice(0, MAX_MESSAGE) });
      return;
    }
    const body = readLine(rules, parsed, `call-${count}`);
    if (body === null) return;
    if (body.kind === 'text') {
      finalText = body.text.slice(-MAX_FINAL);
      live(body.text);
    }
    if (body.kind === 'usage') usage = addUsage(usage, body);
    tell(body);
  };
  const push = (text: string): void => {
    const lines = `${open}${text}`.split('\n');
    open = lines.pop() ?? '';
    for (const [index, line] of lines.entries()) if (index > 0 || !isTooLong) take(line);
    if (lines.length > 0) isTooLong = false;
    if (open.length <= MAX_LINE) return;
    // A longer line is no message of any agent.
    isTooLong = true;
    open = '';
  };
  return {
    push: (chunk) => push(decoder.write(chunk)),
    end: () => push(`${decoder.end()}\n`),
    finalText: () => finalText.trim(),
    usage: () => usage ?? UNKNOWN,
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function addUsage(sum: TokenUsage | null, body: Extract<AgentMessageBody, { kind: 'usage' }>): TokenUsage {
  const { usage, costUsd } = body;
  const before = sum ?? { inputTokens: 0, outputTokens: 0, totalCost: 0 };
  return {
    inputTokens: before.inputTokens + usage.inputTokens,
    outputTokens: before.outputTokens + usage.outputTokens,
    totalCost: before.totalCost === null || costUsd === null ? null : before.totalCost + costUsd,
  };
}

/** A flood of output must not fill the log that everybody reads. */
function boundTelling(tell: Heard['tell']): Heard['tell'] {
  let left = MAX_TOLD;
  return (body) => {
    if (left <= 0) return;
    left -= JSON.stringify(body).length;
    if (left > 0) tell(body);
    else
      tell({ kind: 'notice', level: 'warning', text: 'There is more output than is shown; it is kept with the run.' });
  };
}
