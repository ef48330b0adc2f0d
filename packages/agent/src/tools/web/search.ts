import { messageOf } from '@attractor/base';
import type { SearchWeb, WebHit, WebQuery } from '@attractor/pages/search';
import type { RegisteredTool } from '../../types/index.ts';
import { answering, failure, requiredText } from '../arguments.ts';
import { hostMatches, hostOf } from '@attractor/confine';

const MAX_HITS = 20;

const DOMAINS = { type: 'array', items: { type: 'string' } };

/** Without a service the tool still answers, so that a model that calls it anyway learns why not; a profile then does not offer it. */
export function createWebSearchTool(search: SearchWeb | null): RegisteredTool {
  return {
    definition: {
      name: 'web_search',
      description: 'Searches the web and shows titles, addresses and a few words of what was found.',
      parameters: {
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 2, description: 'What to search for.' },
          allowed_domains: { ...DOMAINS, description: 'Only pages of these domains.' },
          blocked_domains: { ...DOMAINS, description: 'No pages of these domains.' },
        },
        required: ['query'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args, _env, context) => {
      if (search === null)
        return failure(
          'No search service is configured, so the web can not be searched: work with what you have, or ask for a URL.',
        );
      const [allowedDomains, blockedDomains] = [texts(args['allowed_domains']), texts(args['blocked_domains'])];
      const query = { query: requiredText(args, 'query'), allowedDomains, blockedDomains, signal: context?.signal };
      try {
        return shown((await search(query)).filter((hit) => isWanted(hit, query)));
      } catch (error) {
        return failure(`The search failed: ${messageOf(error)}`);
      }
    }),
  };
}

/** Services do not always respect the requested domains. */
function isWanted({ url, site }: WebHit, { allowedDomains, blockedDomains }: WebQuery): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
  const covers = (rule: string): boolean => hostMatches(site ?? hostOf(parsed), rule);
  return !blockedDomains.some(covers) && (allowedDomains.length === 0 || allowedDomains.some(covers));
}

function shown(hits: ReadonlyArray<WebHit>): string {
  if (hits.length === 0) return 'Nothing was found.';
  return hits
    .slice(0, MAX_HITS)
    .map(({ title, url, snippet }, index) =>
      [`${index + 1}. ${title}`, `   ${url}`, snippet === undefined ? '' : `   ${snippet}`].filter(Boolean).join('\n'),
    )
    .join('\n');
}

function texts(value: unknown): ReadonlyArray<string> {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
