export * from './wishes.ts';
