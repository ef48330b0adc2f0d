export type * from './agent.ts';
