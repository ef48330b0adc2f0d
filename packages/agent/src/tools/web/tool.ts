import type { RegisteredTool, ToolContext, ToolResult } from '../../types/index.ts';
import { answering, failure, optionalText, requiredText } from '../arguments.ts';
import type { FetchPageOptions, Page } from '@attractor/pages';

export type WebFetchOptions = FetchPageOptions & {
  /** Called before anything is resolved; if it returns a reason, that is the answer and nothing is fetched. */
  readonly refuse?: (url: string, context: ToolContext | undefined) => Promise<string | null>;
  /** Answers the call's prompt from the page, for example with a small model. Absent: the page itself is the answer. */
  readonly answer?: (question: PageQuestion) => Promise<string>;
  /** The clock for the age of a cached page. Absent: this machine's monotonic clock. */
  readonly now?: () => number;
};

export type PageQuestion = { readonly page: Page; readonly prompt: string; readonly signal: AbortSignal | undefined };

const KEPT_MS = 15 * 60_000;
const MAX_KEPT = 32;

/**
 * Reads pages of the public internet. It is not read-only: a URL's text leaves the machine, so a person is asked unless a policy knows the
 * URL (see `mentionedUrls`).
 */
export function createWebFetchTool(options: WebFetchOptions = {}): RegisteredTool {
  const pages = createPageCache(options.now ?? (() => performance.now()));
  return {
    definition: {
      name: 'web_fetch',
      description:
        'Reads a page of the web by its http or https URL and shows it as markdown. Only the open internet can be reached. A redirect to another host is told, not followed. Pages are kept for 15 minutes.',
      parameters: {
        type: 'object',
        properties: {
          url: { type: 'string', description: 'The complete URL.' },
          prompt: { type: 'string', description: 'What you want to know from the page.' },
        },
        required: ['url'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args, _env, context) => {
      const url = requiredText(args, 'url');
      const refusal = (await options.refuse?.(url, context)) ?? null;
      if (refusal !== null) return failure(`${url} was not fetched: ${refusal}`);
      const page = pages.get(url) ?? (await load(url, options, context));
      if ('output' in page) return page;
      pages.put(url, page);
      const prompt = optionalText(args, 'prompt');
      if (options.answer === undefined || prompt === undefined) return shown(page);
      return options.answer({ page, prompt, signal: context?.signal });
    }),
  };
}

async function load(
  url: string,
  options: WebFetchOptions,
  context: ToolContext | undefined,
): Promise<Page | ToolResult> {
  const { fetchPage } = await import('@attractor/pages');
  const page = await fetchPage(url, options, context?.signal);
  if (!page.ok) return failure(page.message);
  if (!('elsewhere' in page)) return page;
  return {
    output: `${page.url} redirects to another host:\n${page.elsewhere}\nNothing was read. Fetch that URL if it is what you want.`,
    isError: false,
  };
}

function shown({ url, title, text, bytes, isCut }: Page): string {
  return [
    title === null ? url : `${title}\n${url}`,
    '',
    text === '' ? '[The page has no text.]' : text,
    ...(isCut ? ['', `[The page is longer than ${bytes} bytes; the rest was not read.]`] : []),
  ].join('\n');
}

type PageCache = { readonly get: (url: string) => Page | null; readonly put: (url: string, page: Page) => void };

/** The oldest page is evicted first; age counts from when it was read. */
function createPageCache(now: () => number): PageCache {
  const kept = new Map<string, { readonly page: Page; readonly at: number }>();
  return {
    get: (url) => {
      const found = kept.get(url);
      return found !== undefined && now() - found.at < KEPT_MS ? found.page : null;
    },
    put: (url, page) => {
      if (kept.get(url)?.page === page) return;
      kept.delete(url);
      kept.set(url, { page, at: now() });
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    },
  };
}
