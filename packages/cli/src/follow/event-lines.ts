import {
  type AgentMessage,
  answerBy,
  type ByEvent,
  type CheckResult,
  type EventOf,
  type PlatformEvent,
  type Prompt,
  RUN_STEPS,
  type Task,
} from '@attractor/platform';
import { keyOf } from '@attractor/api';
import { readableText, type Style } from '@attractor/console';
import { answerText } from '@attractor/console/lines';

/** What a terminal shows for one event; nothing for those that only machines care about. */
export function eventLines(event: PlatformEvent, style: Style): ReadonlyArray<string> {
  return (answerBy(PRINTERS, event, style) ?? []).map((line) => line.trimEnd());
}

export function howToAnswer(prompt: Prompt): string {
  return `answer with: attractor prompts answer ${keyOf(prompt)} (see --help)`;
}

const PRINTERS: ByEvent<[style: Style], ReadonlyArray<string>> = {
  'task.created': (event, style) => [
    '',
    `${style.bold(keyOf(event.data.task))}  ${readableText(event.data.task.title)}`,
  ],
  'status.changed': (event, style) => ['', style.bold(style.accent(`▸ ${statusOf(event.data.task)}`))],
  'agent.started': (event, style) => [style.dim(`  ${readableText(event.summary)}`)],
  'run.step_finished': stepLines,
  'run.check_finished': (event, style) => checkLines(event.data.check, style),
  'agent.message': (event, style) => messageLines(event.data.message, style),
  'agent.stalled': (event) => [`    ! ${readableText(event.summary)}`],
  'prompt.created': (event, style) => promptLines(event.data.prompt, style),
  'prompt.answered': (event, style) => [style.dim(`    ${answerOf(event.data.prompt)}`)],
  'branch.created': (event, style) => [style.dim(`  ${readableText(event.summary)}`)],
  'agent.completed': (event, style) => [style.dim(`  ${readableText(event.summary)}`)],
  'agent.failed': (event, style) => [`  ${style.bad('✗')} ${readableText(event.summary)}`],
  'agent.cancelled': (event, style) => [`  ${style.bad('✗')} ${readableText(event.summary)}`],
  'agent.retry_scheduled': (event) => [`  ! ${readableText(event.summary)}`],
  'hook.failed': (event, style) => [`  ${style.bad('✗')} ${readableText(event.summary)}`],
};

function statusOf({ status }: Task): string {
  return readableText(status).replaceAll('_', ' ');
}

function stepLines({ data }: EventOf<'run.step_finished'>, style: Style): ReadonlyArray<string> {
  const { step, ok, durationMs } = data;
  const number = RUN_STEPS.indexOf(step) + 1;
  const mark = ok === false ? style.bad('✗') : style.good('✓');
  return [`  ${mark} ${style.dim(`${number}/${RUN_STEPS.length} ${step}${duration(durationMs)}`)}`];
}

function duration(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '';
  return milliseconds < 1000 ? `  ${Math.round(milliseconds)} ms` : `  ${(milliseconds / 1000).toFixed(1)} s`;
}

function checkLines(check: CheckResult, style: Style): ReadonlyArray<string> {
  const where = check.phase === 'base' ? 'on the base commit' : 'on the branch';
  const verdict = check.passed
    ? style.good('passes')
    : style.bad(check.timedOut === true ? 'takes too long' : `fails (exit ${check.exitCode ?? 'unknown'})`);
  return [
    `  check ${style.bold(readableText(check.name))} ${where} ${style.dim(check.commit.slice(0, 8))}: ${verdict}`,
  ];
}

const MESSAGE_LINES: {
  readonly [Kind in AgentMessage['kind']]: (
    message: Extract<AgentMessage, { kind: Kind }>,
    style: Style,
  ) => ReadonlyArray<string>;
} = {
  text: (message) =>
    readableText(message.text)
      .trim()
      .split('\n')
      .map((line) => `    ${line}`),
  thinking: () => [],
  tool_call: (message, style) => [
    `    ${style.accent('●')} ${readableText(message.toolName)} ${style.dim(shortInput(message.input))}`,
  ],
  tool_result: (message, style) => (message.isError ? [`      ${style.bad('✗')} ${firstLine(message.output)}`] : []),
  usage: () => [],
  notice: (message, style) => [`    ${message.level === 'error' ? style.bad('!') : '!'} ${readableText(message.text)}`],
};

function messageLines(message: AgentMessage, style: Style): ReadonlyArray<string> {
  const print = MESSAGE_LINES[message.kind] as (message: AgentMessage, style: Style) => ReadonlyArray<string>;
  return print(message, style);
}

function shortInput(input: Readonly<Record<string, unknown>>): string {
  const known = input['file_path'] ?? input['command'] ?? input['pattern'] ?? input['path'] ?? input['outcome'];
  return firstLine(typeof known === 'string' ? known : JSON.stringify(input));
}

function firstLine(text: string): string {
  const line = readableText(text).split('\n')[0] ?? '';
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

/** What is to be allowed is shown in full. */
function promptLines(prompt: Prompt, style: Style): ReadonlyArray<string> {
  const command = prompt.type === 'tool_approval' ? prompt.payload.command : undefined;
  const exact =
    typeof command === 'string'
      ? readableText(command)
          .split('\n')
          .map((line) => `      ${line}`)
      : [];
  return [`  ${style.bold('?')} ${readableText(prompt.title)}`, ...exact];
}

function answerOf(prompt: Prompt): string {
  return prompt.answer === null ? 'no answer' : answerText(prompt.answer);
}
