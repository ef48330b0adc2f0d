import { z } from 'zod';

/** An id of one kind: `tsk_…`. */
export function id<const Prefix extends string>(prefix: Prefix) {
  return z.templateLiteral([`${prefix}_`, z.string()]);
}

export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly();
}

/** Any JSON object. */
export function record() {
  return z.record(z.string(), z.unknown());
}

/** An ISO time. Not checked as one: what an earlier version stored is shown as it is. */
export function time() {
  return z.string().meta({ format: 'date-time' });
}
