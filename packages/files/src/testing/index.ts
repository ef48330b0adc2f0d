export { formatMatches, meantBy } from '../search/grep.ts';
export { searchText } from '../search/regexp-search.ts';
export { findRipgrep } from '../search/ripgrep.ts';
