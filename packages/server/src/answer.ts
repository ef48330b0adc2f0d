import { failure, FAILURE_STATUS, type Done, type Failure, type FailureCode } from '@attractor/api';
import type { Result } from '@attractor/platform';
import type { Context } from 'hono';

/** A command's result as an HTTP answer. */
export function answer<Value>(context: Context, result: Result<Value>): Response {
  if (result.ok) return context.json(result.value);
  return refuse(context, failure(result.error.code, result.error.message, result.error.detail));
}

/** The answer of a command that leaves nothing to show. */
export function answerDone(context: Context, result: Result<unknown>): Response {
  const done: Done = { done: true };
  return answer(context, result.ok ? { ok: true, value: done } : result);
}

/** A found value, or 404 with the name of what was looked for. */
export function found(context: Context, value: object | null, what: string): Response {
  if (value !== null) return context.json(value);
  return refuse(context, failure('not_found', `There is no ${what}.`));
}

export function refuse(context: Context, error: Failure): Response {
  return context.json({ error }, FAILURE_STATUS[error.code]);
}

export function refusal(context: Context, code: FailureCode, message: string): Response {
  return refuse(context, failure(code, message));
}
