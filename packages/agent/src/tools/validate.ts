import type { ToolDefinition } from '../types/index.ts';

type Check = (value: unknown) => ReadonlyArray<string>;

const checks = new WeakMap<ToolDefinition, Promise<Check>>();

/** What is wrong with the arguments of a call, as text for the model; empty if they match the tool's JSON Schema. */
export async function validateArguments(
  definition: ToolDefinition,
  args: Readonly<Record<string, unknown>>,
): Promise<ReadonlyArray<string>> {
  if (holdsProtoKey(args)) return ['the key __proto__ is not allowed'];
  const check = checks.get(definition) ?? compile(definition);
  checks.set(definition, check);
  return (await check)(args);
}

async function compile({ parameters }: ToolDefinition): Promise<Check> {
  const { Validator } = await import('@cfworker/json-schema');
  const validator = new Validator({ ...parameters }, '2020-12', false);
  return (value) => {
    const { errors } = validator.validate(value);
    return [...new Set(errors.filter(isTelling).map(told))].slice(0, 5);
  };
}

type Wrong = { readonly keyword: string; readonly instanceLocation: string; readonly error: string };

/** Wrapper errors only repeat that something inside them failed. */
const WRAPPERS: ReadonlySet<string> = new Set(['properties', 'items', 'additionalProperties', 'unevaluatedProperties']);

function isTelling({ keyword }: Wrong): boolean {
  return !WRAPPERS.has(keyword);
}

/** A schema that nothing fits stands for what is not there. */
function told({ keyword, instanceLocation, error }: Wrong): string {
  return `${instanceLocation}: ${keyword === 'false' ? 'there is no such argument.' : error}`;
}

/** JSON can contain an own key `__proto__`; no tool uses it, and a careless copy would change a prototype. */
function holdsProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsProtoKey);
}
