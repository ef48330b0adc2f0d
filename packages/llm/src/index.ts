export * from './types/index.ts';
