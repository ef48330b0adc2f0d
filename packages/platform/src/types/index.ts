export * from './event.ts';
export * from './pipeline.ts';
export * from './project.ts';
export * from './prompt.ts';
export * from './run.ts';
export * from './task.ts';
