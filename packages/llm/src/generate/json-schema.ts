import type { Schema, Validator } from '@cfworker/json-schema';
import type { JsonSchema } from '../types/request.ts';

/**
 * What is wrong with a value, or nothing if it is valid. The validator is loaded on first use. It marks its schema, so it gets a copy: what
 * goes to a provider stays the caller's bytes.
 */
export async function schemaProblem(schema: JsonSchema, value: unknown): Promise<string | undefined> {
  const { valid, errors } = (await validatorFor(schema)).validate(value);
  if (valid) return undefined;
  const leaves = errors.filter((error) => !CONTAINERS.has(error.keyword));
  const shown = (leaves.length > 0 ? leaves : errors).slice(0, 5);
  return shown.map((error) => `${error.instanceLocation.replace(/^#/, '') || '/'}: ${error.error}`).join(' ');
}

/** Keywords whose message only repeats that something inside them failed. */
const CONTAINERS = new Set([
  'properties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'additionalProperties',
  'patternProperties',
]);

const validators = new WeakMap<JsonSchema, Validator>();

async function validatorFor(schema: JsonSchema): Promise<Validator> {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const { Validator } = await import('@cfworker/json-schema');
  const copy: Schema = structuredClone(schema);
  const validator = new Validator(copy, '2020-12', false);
  validators.set(schema, validator);
  return validator;
}
