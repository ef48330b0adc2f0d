import { ALL, OWN, type ToolRow } from '../row.ts';
import { asksTheWeb, fetchesPage } from '../touch.ts';

/** Pages of the web. */
export const WEB = {
  web_fetch: {
    does: 'reads a page of the web',
    families: { ...ALL, anthropic: { always: 'WebFetch' } },
    use: 'look',
    touches: fetchesPage,
    rule: 'WebFetch',
    whereNothingChanges: 'judged',
    subject: ['url'],
    needs: 'web',
    bringsPages: true,
    advice: {
      say: 'Fetch only URLs that you were given or found; never guess one, and put nothing into one that is not for its reader.',
    },
  },
  web_search: {
    does: 'searches the web',
    families: {
      anthropic: { always: 'WebSearch' },
      openai: OWN,
      gemini: { always: 'google_web_search' },
    },
    use: 'look',
    touches: asksTheWeb,
    rule: null,
    whereNothingChanges: 'promised',
    subject: ['query'],
    needs: 'search',
    bringsPages: true,
  },
} as const satisfies Readonly<Record<string, ToolRow>>;
