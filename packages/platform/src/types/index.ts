export * from './event-types.ts';
export * from './event.ts';
export * from './pipeline.ts';
export * from './project.ts';
export * from './prompt.ts';
export * from './run.ts';
export * from './task.ts';
export * from './template.ts';
