import { costOf } from '@attractor/llm';
import type { TokenUsage } from '../agent.ts';
import { readReport, REPORT_OUTCOME, type Report, type ReportRules } from './report-outcome.ts';
import { type AssistantPart, partsOf, type StoredEvent, textOf, usageOf } from './stored-event.ts';

/** What a stored conversation says about its last input. Everything here is derived: a crash loses none of it. */
export type Conversation = {
  /** How many inputs were taken so far. */
  readonly inputs: number;
  /** The last one was answered to its end. */
  readonly finished: boolean;
  readonly finalText: string;
  readonly report: Report | null;
  readonly reportText: string;
  readonly reachedLimit: boolean;
  readonly tokenUsage: TokenUsage;
};

type Reading = { -readonly [Name in keyof Conversation]: Conversation[Name] };

export function readConversation(events: ReadonlyArray<StoredEvent>, rules: ReportRules): Conversation {
  const reading: Reading = {
    inputs: 0,
    finished: false,
    finalText: '',
    report: null,
    reportText: '',
    reachedLimit: false,
    tokenUsage: { inputTokens: 0, outputTokens: 0, totalCost: 0 },
  };
  for (const stored of events) STEPS[stored.event.kind]?.(reading, stored, rules);
  return reading;
}

const STEPS: Readonly<Record<string, (reading: Reading, stored: StoredEvent, rules: ReportRules) => void>> = {
  USER_INPUT: (reading) => begin(reading),
  COMMAND_INPUT: (reading) => begin(reading),
  COMPACTED: (reading, stored) => {
    // A summary that no model made cost nothing.
    if (textOf(stored, 'model') !== '') reading.tokenUsage = addSpent(reading.tokenUsage, stored);
  },
  ASSISTANT_MESSAGE: (reading, stored, rules) => {
    const parts = partsOf(stored);
    const text = parts
      .flatMap((part) => (part.kind === 'TEXT' ? [part.text] : []))
      .join('\n')
      .trim();
    if (text !== '') reading.finalText = text;
    reading.tokenUsage = addSpent(reading.tokenUsage, stored);
    for (const part of parts) takeReport(reading, { part, text, rules });
  },
  SUBAGENT_END: (reading, stored) => {
    if (stored.event['usage'] !== undefined) reading.tokenUsage = addSpent(reading.tokenUsage, stored);
  },
  TURN_LIMIT: (reading) => {
    reading.reachedLimit = true;
  },
  PROCESSING_END: (reading) => {
    reading.finished = true;
  },
};

function begin(reading: Reading): void {
  reading.inputs += 1;
  Object.assign(reading, { finished: false, finalText: '', report: null, reportText: '', reachedLimit: false });
}

type Found = { readonly part: AssistantPart; readonly text: string; readonly rules: ReportRules };

/** A report that was refused when it was made is refused again; the last good one counts. */
function takeReport(reading: Reading, { part, text, rules }: Found): void {
  if (part.kind !== 'TOOL_CALL' || part.toolName !== REPORT_OUTCOME) return;
  const judged = readReport(part.args, rules);
  if ('problem' in judged) return;
  reading.report = judged;
  reading.reportText = text;
}

function addSpent(sum: TokenUsage, stored: StoredEvent): TokenUsage {
  const usage = usageOf(stored);
  const cost = costOf(textOf(stored, 'model'), usage);
  return {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    cacheReadTokens: (sum.cacheReadTokens ?? 0) + (usage.cacheReadTokens ?? 0),
    cacheWriteTokens: (sum.cacheWriteTokens ?? 0) + (usage.cacheWriteTokens ?? 0),
    totalCost: sum.totalCost === null || cost === null ? null : sum.totalCost + cost,
  };
}
