/**
 * Short-lived objects are collected when they fill a quarter of their space instead of four fifths: a long answer then needs a few MB instead
 * of all of it, and what is used again and again stays in the caches of the processor. Not before there is an answer: V8 refuses code that
 * was compiled ahead once a flag is another, and what a start makes lives on.
 */
export function collectEarly(): void {
  if (isAsked) return;
  isAsked = true;
  process.getBuiltinModule('node:v8').setFlagsFromString('--minor-gc-task-trigger=25');
}

let isAsked = false;
