export * from './content.ts';
export * from './error.ts';
export * from './message.ts';
export * from './provider.ts';
export * from './request.ts';
export * from './response.ts';
export * from './stream.ts';
export * from './usage.ts';
