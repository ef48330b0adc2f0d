import type { FaultOf } from '../script/types.ts';
import { isObject, objectOf } from '../wire/json.ts';

type How = FaultOf<'malformed_arguments'>['how'];

const HUGE = 10 * 1024 * 1024;

/** Ways in which models have been seen to break the JSON of a call; each takes valid JSON text. */
const BREAK: Record<How, (args: string, size: number) => string> = {
  truncated: (args) => args.slice(0, Math.max(1, Math.floor(args.length / 2))),
  trailing_comma: (args) => (args.length > 2 ? `${args.slice(0, -1)},}` : '{,}'),
  wrong_type: (args) => JSON.stringify(wrongTypes(args)),
  not_object: (args) => `[${args}]`,
  nan: (args) => withFirst(args, '"count":NaN'),
  duplicate_keys: (args) => doubled(args),
  proto: (args) => withFirst(args, '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'),
  huge: (args, size) => withFirst(args, `"padding":"${'x'.repeat(size)}"`),
  empty: () => '',
};

export function malform(args: string, fault: FaultOf<'malformed_arguments'>): string {
  return BREAK[fault.how](args, fault.size ?? HUGE);
}

function withFirst(args: string, entry: string): string {
  return args === '{}' ? `{${entry}}` : `{${entry},${args.slice(1)}`;
}

function wrongTypes(args: string): unknown {
  const value: unknown = JSON.parse(args);
  if (!isObject(value) || Object.keys(value).length === 0) return { unexpected: 42 };
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, typeof item === 'string' ? 42 : 'forty-two']),
  );
}

/** Every key twice, the second time with another value: parsers disagree on which one counts. */
function doubled(args: string): string {
  const entries = Object.keys(objectOf(JSON.parse(args))).map((name) => `${JSON.stringify(name)}:"second"`);
  if (entries.length === 0) return '{"again":1,"again":2}';
  return `${args.slice(0, -1)},${entries.join(',')}}`;
}
