export * from './app.ts';
export * from './listen.ts';
