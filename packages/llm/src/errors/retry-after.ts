/**
 * Milliseconds to wait, as the provider asks: `retry-after-ms`, `retry-after` (seconds or HTTP date), or Gemini's RetryInfo in the body.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  body: unknown,
  now: number,
): number | undefined {
  const exact = positive(Number.parseFloat(headers['retry-after-ms'] ?? ''));
  if (exact !== undefined) return exact;
  const header = headers['retry-after']?.trim();
  if (header !== undefined && header !== '')
    return /^[\d.]+$/.test(header) ? positive(Number(header) * 1000) : untilDate(header, now);
  return retryInfo(body);
}

function untilDate(text: string, now: number): number | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function retryInfo(body: unknown): number | undefined {
  const match = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(typeof body === 'string' ? body : '');
  return match === null ? undefined : positive(Number(match[1]) * 1000);
}

function positive(value: number): number | undefined {
  return Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}
