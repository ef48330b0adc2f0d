import { failed } from '@attractor/base';
import type { ProviderResult, Response } from './provider.ts';

/** Checks that a response keeps the promises of the port, and returns a failure if it does not. */
export function checkResponse(answer: ProviderResult<Response>): ProviderResult<Response> {
  const problem = answer.ok ? problemOf(answer.value) : null;
  if (problem === null) return answer;
  const message = "The provider's answer could not be understood. The details are in the journal of the session.";
  const detail = `${problem}: ${JSON.stringify(answer).slice(0, 4_000)}`;
  return failed({ code: 'InvalidResponseError', message, retryable: false, detail });
}

function problemOf({ text, toolCalls, isComplete }: Response): string | null {
  if (typeof text !== 'string' || !Array.isArray(toolCalls)) return 'a response needs text and toolCalls';
  if (isComplete && toolCalls.length > 0) return 'a complete response has calls to run';
  if (!isComplete && toolCalls.length === 0) return 'a response is neither complete nor has calls to run';
  if (new Set(toolCalls.map(({ id }) => id)).size < toolCalls.length) return 'two calls of a response have the same id';
  return null;
}
