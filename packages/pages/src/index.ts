export type { FetchPageOptions, Page } from './fetch-page.ts';
export { fetchPage } from './fetch-page.ts';
