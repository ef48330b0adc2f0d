export * from './truncate.ts';
