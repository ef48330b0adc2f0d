export { journalsBeside } from './journals-beside.ts';
