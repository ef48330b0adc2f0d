import { hash } from 'node:crypto';
import { estimateTokens } from '../answer/answer.ts';
import type { ModelRequest } from '../protocols/protocol.ts';

/**
 * Which prompt prefixes were seen before. A prefix is found again only if every byte up to its end is the same
 * and the model is the same. With breakpoints a prefix is written at each of them and looked for at most
 * twenty pieces before each; without, every prefix is written and the longest is read.
 */
export interface PromptCache {
  measure(request: ModelRequest): { input: number; cacheRead: number; cacheWrite: number };
  /** Tokens of the prompt, remembering nothing. */
  count(request: ModelRequest): number;
  clear(): void;
}

const LOOK_BACK = 20;
const LIMIT = 500_000;

export function createPromptCache(minTokens: number): PromptCache {
  const seen = new Set<string>();
  const remember = (prefix: string): void => {
    seen.add(prefix);
    if (seen.size > LIMIT) seen.delete(seen.values().next().value ?? prefix);
  };
  return {
    measure(request) {
      const chain = chainOf(request);
      const input = chain.at(-1)?.tokens ?? 0;
      const points = request.breakpoints ?? chain.keys().toArray();
      const back = request.breakpoints ? LOOK_BACK : 1;
      const found = longestSeen(chain, points, { seen, back });
      const last = points.at(-1);
      const cacheRead = atLeast(chain[found]?.tokens ?? 0, minTokens);
      const writable = last === undefined ? 0 : atLeast(chain[last]?.tokens ?? 0, minTokens);
      for (const point of points) {
        const link = chain[point];
        if (link && link.tokens >= minTokens) remember(link.prefix);
      }
      const cacheWrite = request.breakpoints ? Math.max(0, writable - cacheRead) : 0;
      return { input, cacheRead: Math.min(cacheRead, input), cacheWrite };
    },
    count: (request) => estimateTokens(request.segments.reduce((sum, segment) => sum + segment.length, 0)),
    clear: () => seen.clear(),
  };
}

interface Link {
  prefix: string;
  tokens: number;
}

function chainOf(request: ModelRequest): Link[] {
  let prefix = `${request.protocol}\0${request.model}`;
  let length = 0;
  return request.segments.map((segment) => {
    prefix = hash('sha1', prefix + segment, 'base64');
    length += segment.length;
    return { prefix, tokens: estimateTokens(length) };
  });
}

function longestSeen(chain: Link[], points: number[], how: { seen: Set<string>; back: number }): number {
  for (const point of points.toReversed()) {
    for (let at = point; at > point - how.back && at >= 0; at -= 1) {
      if (how.seen.has(chain[at]?.prefix ?? '')) return at;
    }
  }
  return -1;
}

function atLeast(tokens: number, minimum: number): number {
  return tokens >= minimum ? tokens : 0;
}
