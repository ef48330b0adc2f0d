import { messageOf } from '@attractor/base';
import type { SendResult } from './channel.ts';

export type Post = {
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const EXCERPT_BYTES = 300;

/**
 * One POST. Redirects are never followed: only the address that a person configured is called. The answer's body is read only to quote an
 * error.
 */
export async function postJson({ url, body, headers = {} }: Post, signal: AbortSignal): Promise<SendResult> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Attractor' },
      body,
      signal,
    });
    if (response.ok) {
      await response.body?.cancel();
      return { ok: true };
    }
    const words = await excerpt(response);
    const wait = retryAfter(response.headers.get('retry-after'));
    return {
      ok: false,
      message: `The other side answered ${response.status}${words === '' ? '' : `: ${words}`}`,
      retryable: isRetryable(response.status),
      ...(wait === null ? {} : { retryAfterMs: wait }),
    };
  } catch (error) {
    return { ok: false, message: causeOf(error, signal), retryable: true };
  }
}

function isRetryable(status: number): boolean {
  return status >= 500 || status === 429 || status === 408 || status === 425;
}

function retryAfter(header: string | null): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}

async function excerpt(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  const bytes = first?.value?.subarray(0, EXCERPT_BYTES) ?? new Uint8Array();
  return new TextDecoder().decode(bytes).replaceAll(/\s+/g, ' ').trim();
}

function causeOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'It did not answer in time';
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `It could not be reached (${messageOf(cause)})`;
}
