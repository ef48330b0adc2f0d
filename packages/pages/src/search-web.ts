/** Any service that finds pages. The model sees a rejection as a failed search. */
export type SearchWeb = (query: WebQuery) => Promise<ReadonlyArray<WebHit>>;

export type WebQuery = {
  readonly query: string;
  readonly allowedDomains: ReadonlyArray<string>;
  readonly blockedDomains: ReadonlyArray<string>;
  readonly signal: AbortSignal | undefined;
};

/** `site`: the page's own host, where the address only leads to it. */
export type WebHit = {
  readonly title: string;
  readonly url: string;
  readonly snippet?: string;
  readonly site?: string;
};
