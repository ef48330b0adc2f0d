import type { Result } from '@attractor/base';
import type { DeliveredEvent } from '@attractor/journal';
import { truncateToolOutput } from '@attractor/agent';
import { type Executed, type ExecutorFailure, FILE_TOOLS } from '@attractor/executor';
import { type Line, linesOf } from '@attractor/stream-json';
import type { OutputFormat } from '@attractor/headless';
import { resultLine, type HeadlessEnding } from '@attractor/stream-json';
import { count, NOTHING } from '@attractor/stream-json';
import { readableText, createStyle, putStyled, putText } from '@attractor/console';

export type ExecOutput = {
  readonly event: (event: DeliveredEvent) => void;
  readonly end: (outcome: Result<Executed, ExecutorFailure>) => void;
};

type Beginning = {
  readonly format: OutputFormat;
  readonly cwd: string;
  /** What a person should know before the first answer, one line each. */
  readonly notes: ReadonlyArray<string>;
  /** The total time spent waiting for models so far. */
  readonly apiMs: () => number;
};

/** The output of a run for a person or a script: progress on a terminal's stderr, the result alone on stdout, or events as JSON lines. */
export function createOutput({ format, cwd, notes, apiMs }: Beginning): ExecOutput {
  const started = performance.now();
  const isText = format === 'text';
  const isStream = format === 'stream-json';
  const shown = process.stderr.isTTY && isText;
  let tally = NOTHING;
  let begun = false;
  let streamed = '';
  const begin = ({ sessionId }: DeliveredEvent): void => {
    if (begun) return;
    begun = true;
    putText(process.stderr, notes.map((note) => `${readableText(note)}\n`).join(''));
    if (isStream) write({ type: 'system', subtype: 'init', session_id: sessionId, cwd, tools: TOOLS, mcp_servers: [] });
  };
  return {
    event: (event) => {
      begin(event);
      tally = count(tally, event);
      if (isStream) linesOf(event, { partial: null, shorten: shortened }).forEach(write);
      if (event.kind === 'ASSISTANT_TEXT_START') streamed = '';
      if (event.kind === 'ASSISTANT_TEXT_DELTA') streamed += event.text;
      if (shown) showProgress(event);
    },
    end: (outcome) => {
      if (!outcome.ok && isText) putText(process.stderr, `attractor: ${oneLine(outcome.error)}\n`);
      // If stdout and stderr are the same terminal, streamed text is not repeated.
      const isSeen = shown && process.stdout.isTTY && outcome.ok && streamed === outcome.value.text;
      if (outcome.ok && isText && !isSeen) putText(process.stdout, `${outcome.value.text}\n`);
      if (isText) return;
      const ending: HeadlessEnding = outcome.ok ? 'done' : (ENDINGS[outcome.error.code] ?? 'failed');
      const sessionId = (outcome.ok ? outcome.value.sessionId : outcome.error.sessionId) ?? null;
      const message = outcome.ok ? {} : { message: outcome.error.message };
      const durationMs = performance.now() - started;
      const line = resultLine({ ending, sessionId, tally, durationMs, apiMs: apiMs(), ...message });
      write(outcome.ok ? { ...line, result: outcome.value.text, total_cost_usd: outcome.value.costUsd } : line);
    },
  };
}

const TOOLS: ReadonlyArray<string> = FILE_TOOLS.map(({ name }) => name);

const ENDINGS: Readonly<Record<string, HeadlessEnding>> = { max_turns: 'max_turns', interrupted: 'interrupted' };

function write(line: Line): void {
  putText(process.stdout, `${JSON.stringify(line)}\n`);
}

function shortened(toolName: string, output: string): string {
  return truncateToolOutput(output, toolName);
}

function oneLine({ message, sessionId }: ExecutorFailure): string {
  const where = sessionId === undefined ? '' : ` (session ${sessionId})`;
  return readableText(`${message}${where}`).replace(/\s*\n\s*/g, ' ');
}

function showProgress(event: DeliveredEvent): void {
  const style = createStyle(process.stderr, process.env);
  if (event.kind === 'ASSISTANT_TEXT_DELTA') putText(process.stderr, readableText(event.text));
  if (event.kind === 'ASSISTANT_TEXT_END') putText(process.stderr, '\n');
  if (event.kind === 'TOOL_CALL_START') {
    const path = event.args['path'] ?? event.args['pattern'] ?? '';
    putStyled(process.stderr, style.dim(`  ${event.toolName} ${readableText(typeof path === 'string' ? path : '')}\n`));
  }
  if (event.kind === 'TOOL_CALL_END' && event.isError)
    putStyled(process.stderr, style.bad(`  ${readableText(event.output.slice(0, 200))}\n`));
}
