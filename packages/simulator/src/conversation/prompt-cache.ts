import { estimateTokens } from '../answer/answer.ts';
import type { ModelRequest } from '../protocol.ts';

/**
 * Which prompt prefixes were seen before. A prefix matches only if every byte up to its end and the model are the same. With breakpoints a
 * prefix is written at each of them and looked up at most twenty pieces before each; without, every prefix is written and the longest is
 * read.
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
  const seen = new Set<number>();
  const remember = (prefix: number): void => {
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
  prefix: number;
  tokens: number;
}

function chainOf(request: ModelRequest): Link[] {
  let prefix = mix(`${request.protocol} ${request.model}`, 0);
  let length = 0;
  return request.segments.map((segment) => {
    prefix = mix(segment, prefix);
    length += segment.length;
    return { prefix, tokens: estimateTokens(length) };
  });
}

/**
 * A 53-bit string hash, seeded with the prefix before it. Prompts are long and frequent, and nobody attacks this cache: a plain loop is
 * several times faster here than a cryptographic digest for each piece.
 */
function mix(text: string, seed: number): number {
  let high = 0xdeadbeef ^ (seed >>> 0);
  let low = 0x41c6ce57 ^ Math.floor(seed / 2 ** 32);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (low & 0x1fffff) * 2 ** 32 + (high >>> 0);
}

function longestSeen(chain: Link[], points: number[], how: { seen: Set<number>; back: number }): number {
  for (const point of points.toReversed()) {
    for (let at = point; at > point - how.back && at >= 0; at -= 1) {
      if (how.seen.has(chain[at]?.prefix ?? -1)) return at;
    }
  }
  return -1;
}

function atLeast(tokens: number, minimum: number): number {
  return tokens >= minimum ? tokens : 0;
}
