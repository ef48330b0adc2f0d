import type { ParsedHookAnswer } from './answer.ts';
import type { HandlerEnd } from './handler-end.ts';
import type { HookRun } from './run-report.ts';

const MAX_SHOWN = 2_000;

export function shortOutput(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

/** The part of a handler's output that is worth keeping; empty if the handler asks for silence. */
export function outputOf(
  end: HandlerEnd,
  { isQuiet }: ParsedHookAnswer,
  redact: (text: string) => string,
): Partial<HookRun> {
  const shown = (text: string): string => shortOutput(redact(text.trim()));
  if (end.kind === 'body') return isQuiet === true ? {} : { stdout: shown(end.text) };
  if (end.kind !== 'exit') return {};
  const { exitCode, stdout, stderr } = end;
  return { exitCode, ...(isQuiet === true ? {} : { stdout: shown(stdout), stderr: shown(stderr) }) };
}

/** Arguments and outputs are redacted where they are used; texts are passed on unchanged, so they are redacted here. */
export function withoutSecrets(word: ParsedHookAnswer, clean: (text: string) => string): ParsedHookAnswer {
  const { block, context, message, stop, permission } = word;
  return {
    ...word,
    ...(block === undefined ? {} : { block: clean(block) }),
    ...(context === undefined ? {} : { context: clean(context) }),
    ...(message === undefined ? {} : { message: clean(message) }),
    ...(stop === undefined ? {} : { stop: clean(stop) }),
    ...(permission === undefined ? {} : { permission: { ...permission, reason: clean(permission.reason) } }),
  };
}
