import { type AssistantMessageEvent, eventOf, type JournalRecord, type SessionEvent } from '@attractor/journal';
import { type ContentPart, costOf, NO_USAGE, type Usage } from '@attractor/llm';
import type { AgentRunResult, TokenUsage } from '../agent.ts';
import { refusalIn } from './translate.ts';
import { readReport, REPORT_OUTCOME, type Report, type ReportRules } from '../run-tools/report-outcome.ts';

/** What a stored conversation says about its last input. Everything here is derived: a crash loses none of it. */
export type Conversation = {
  /** How many inputs were accepted so far. */
  readonly inputs: number;
  /** The last one was answered completely. */
  readonly finished: boolean;
  readonly finalText: string;
  readonly report: Report | null;
  readonly reportText: string;
  readonly refusedReport: NonNullable<AgentRunResult['refusedReport']> | null;
  readonly reachedLimit: boolean;
  /** What a hook said no to; null: nothing. */
  readonly refusal: string | null;
  readonly tokenUsage: TokenUsage;
};

type Reading = { -readonly [Name in keyof Conversation]: Conversation[Name] };

export function readConversation(records: ReadonlyArray<JournalRecord>, rules: ReportRules): Conversation {
  const reading: Reading = {
    inputs: 0,
    finished: false,
    finalText: '',
    report: null,
    reportText: '',
    refusedReport: null,
    reachedLimit: false,
    refusal: null,
    tokenUsage: { inputTokens: 0, outputTokens: 0, totalCost: 0 },
  };
  for (const record of records) {
    const event = eventOf(record);
    if (event !== null) read(reading, event, rules);
  }
  return reading;
}

function read(reading: Reading, event: SessionEvent, rules: ReportRules): void {
  if (event.kind === 'USER_INPUT' || event.kind === 'COMMAND_INPUT') begin(reading);
  if (event.kind === 'ASSISTANT_MESSAGE') takeReply(reading, event, rules);
  // A summary without a model cost nothing.
  if (event.kind === 'COMPACTED' && (event.model ?? '') !== '') addSpent(reading, event);
  if (event.kind === 'SUBAGENT_END' && event.usage !== undefined) addSpent(reading, event);
  if (event.kind === 'ANSWER_UNUSED') addSpent(reading, event);
  if (event.kind === 'TURN_LIMIT') reading.reachedLimit = true;
  if (event.kind === 'PROCESSING_END') reading.finished = true;
  reading.refusal = refusalIn(event) ?? reading.refusal;
}

function takeReply(reading: Reading, event: AssistantMessageEvent, rules: ReportRules): void {
  const text = event.content
    .flatMap((part) => (part.kind === 'TEXT' ? [part.text] : []))
    .join('\n')
    .trim();
  if (text !== '') reading.finalText = text;
  addSpent(reading, event);
  for (const part of event.content) takeReport(reading, { part, text, rules });
}

function begin(reading: Reading): void {
  reading.inputs += 1;
  Object.assign(reading, {
    finished: false,
    finalText: '',
    report: null,
    reportText: '',
    refusedReport: null,
    reachedLimit: false,
    refusal: null,
  });
}

type Found = { readonly part: ContentPart; readonly text: string; readonly rules: ReportRules };

/** A report that was refused when it was made is refused again; the last valid one counts. */
function takeReport(reading: Reading, { part, text, rules }: Found): void {
  if (part.kind !== 'TOOL_CALL' || part.toolName !== REPORT_OUTCOME) return;
  const judged = readReport(part.args, rules);
  if ('problem' in judged) {
    reading.refusedReport = { outcome: String(part.args['outcome']), problem: judged.problem };
    return;
  }
  reading.report = judged;
  reading.refusedReport = null;
  reading.reportText = text;
}

type Spent = { readonly model?: string; readonly usage?: Usage };

function addSpent(reading: Reading, { model = '', usage = NO_USAGE }: Spent): void {
  const { tokenUsage: sum } = reading;
  const cost = costOf(model, usage);
  reading.tokenUsage = {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    cacheReadTokens: (sum.cacheReadTokens ?? 0) + (usage.cacheReadTokens ?? 0),
    cacheWriteTokens: (sum.cacheWriteTokens ?? 0) + (usage.cacheWriteTokens ?? 0),
    totalCost: sum.totalCost === null || cost === null ? null : sum.totalCost + cost,
  };
}
