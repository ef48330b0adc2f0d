export { searchOfProvider, searchServiceIn } from './search-services.ts';
export type { SearchWeb, WebHit, WebQuery } from './search-web.ts';
