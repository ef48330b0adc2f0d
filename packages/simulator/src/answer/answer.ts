/** What the model says in one turn, independent of any protocol. `args` is JSON text and may be malformed on purpose. */
export type AnswerPart =
  | { type: 'thinking'; text: string; redacted: boolean }
  | { type: 'text'; text: string }
  | { type: 'refusal'; text: string }
  | { type: 'tool_call'; id: string; name: string; args: string };

/** `input` counts all input tokens, cached or not; `output` includes `reasoning`. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  reasoning: number;
}

/**
 * `seed` is the same for the same conversation and position, and so are all ids made from it: a client that asks twice gets the same
 * answer, except for the count of cached tokens. `finish` is a neutral reason; one that a protocol does not know is sent unchanged.
 */
export interface Answer {
  seed: string;
  model: string;
  parts: AnswerPart[];
  finish: string;
  usage: Usage;
  deltaChars: number;
  /** Pages that the service's own search found before it answered. Absent: it did not search. */
  found?: readonly { readonly url: string; readonly title: string }[];
}

/** Splits text into deltas that never break a surrogate pair; their concatenation is the text. */
export function splitDeltas(text: string, size: number): string[] {
  const deltas: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + size);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1;
    deltas.push(text.slice(start, end));
    start = end;
  }
  return deltas;
}

/** The deterministic estimate behind every count in the simulator. */
export function estimateTokens(length: number): number {
  return Math.ceil(length / 4);
}
