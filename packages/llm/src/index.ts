export * from './types/index.ts';
export * from './catalog/index.ts';
export * from './cost.ts';
