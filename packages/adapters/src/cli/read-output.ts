import { StringDecoder } from 'node:string_decoder';
import type { AgentMessageBody, TokenUsage } from '../agent.ts';
import { addTokens, NOTHING_USED } from '../program/dialogue.ts';
import { parseLine, readLines } from '@attractor/rpc';
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
const MAX_FINAL = 200_000;
const MAX_NOTICES = 50;

export function createOutputReader(definition: Pick<CliDefinition, 'output' | 'lines'>, heard: Heard): OutputReader {
  return definition.output === 'text' ? readText(heard) : readJsonLines(definition.lines, heard);
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
  let [count, notices, finalText] = [0, 0, ''];
  let usage: TokenUsage | null = null;
  const lines = readLines((line) => {
    count += 1;
    const parsed = parseLine(line);
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
    if (body.kind === 'usage') usage = addTokens(usage ?? NOTHING_USED, { ...body.usage, totalCost: body.costUsd });
    tell(body);
  });
  return {
    ...lines,
    finalText: () => finalText.trim(),
    usage: () => usage ?? UNKNOWN,
  };
}
