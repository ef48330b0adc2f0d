import { isObject, type JsonObject, listOf, objectOf, shown, stringOf, typeName } from '../../wire/json.ts';
import type { Failure } from '../../protocol.ts';
import { firstDuplicate, firstOf, invalid } from '../refuse.ts';

/** A declared function, wherever the protocol keeps its name and schema. `param` is its place in error messages. */
export interface DeclaredFunction {
  definition: JsonObject;
  param: string;
}

export function checkFunctions(functions: DeclaredFunction[]): Failure | undefined {
  const failure = firstOf(
    functions,
    ({ definition, param }) => checkName(definition['name'], `${param}.name`) ?? checkParameters(definition, param),
  );
  if (failure) return failure;
  const twice = firstDuplicate(functions.map(({ definition }) => stringOf(definition['name'])));
  if (twice === undefined) return undefined;
  return invalid(`Invalid 'tools': duplicate function name '${twice}'. Function names must be unique.`, {
    param: 'tools',
    code: 'invalid_value',
  });
}

export function checkName(name: unknown, param: string): Failure | undefined {
  if (name === undefined)
    return invalid(`Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });
  if (typeof name !== 'string') return wrongType(param, 'a string', name);
  if (name === '') return emptyString(param);
  if (name.length > 64) {
    return invalid(
      `Invalid '${param}': string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`,
      { param, code: 'string_above_max_length' },
    );
  }
  if (/^[a-zA-Z0-9_-]+$/.test(name)) return undefined;
  return invalid(
    `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    { param, code: 'invalid_value' },
  );
}

export function emptyString(param: string): Failure {
  return invalid(
    `Invalid '${param}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
    {
      param,
      code: 'empty_string',
    },
  );
}

export function emptyArray(param: string): Failure {
  return invalid(
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    {
      param,
      code: 'empty_array',
    },
  );
}

export function wrongType(param: string, expected: string, value: unknown): Failure {
  const article = /^[aeiou]/.test(typeName(value)) ? 'an' : 'a';
  const got = value === null ? 'null' : `${article} ${typeName(value)}`;
  return invalid(`Invalid type for '${param}': expected ${expected}, but got ${got} instead.`, {
    param,
    code: 'invalid_type',
  });
}

function checkParameters(definition: JsonObject, param: string): Failure | undefined {
  const schema = definition['parameters'];
  if (schema === undefined || schema === null) return undefined;
  if (!isObject(schema)) return wrongType(`${param}.parameters`, 'an object', schema);
  const strict = definition['strict'] === true;
  const problem = rootProblem(schema) ?? schemaProblem(schema, { strict, context: [] });
  if (problem === undefined) return undefined;
  return invalid(`Invalid schema for function '${stringOf(definition['name'])}': ${problem}`, {
    param: `${param}.parameters`,
    code: 'invalid_function_parameters',
  });
}

export function checkFormat(format: JsonObject, param: string): Failure | undefined {
  if (format['type'] !== 'json_schema') return undefined;
  const named = checkName(format['name'], `${param}.name`);
  if (named) return named;
  if (!isObject(format['schema'])) {
    return invalid(`Missing required parameter: '${param}.schema'.`, {
      param: `${param}.schema`,
      code: 'missing_required_parameter',
    });
  }
  const problem =
    rootProblem(format['schema']) ??
    schemaProblem(format['schema'], { strict: format['strict'] === true, context: [] });
  if (problem === undefined) return undefined;
  return invalid(`Invalid schema for response_format '${stringOf(format['name'])}': ${problem}`, {
    param: `${param}.schema`,
    code: 'invalid_json_schema',
  });
}

function rootProblem(schema: JsonObject): string | undefined {
  if (schema['type'] === 'object') return undefined;
  return `schema must be a JSON Schema of 'type: "object"', got 'type: "${shown(schema['type'])}"'.`;
}

interface SchemaPlace {
  strict: boolean;
  context: string[];
}

/** Walks the schema once; strict mode requires every object to be closed and every property to be required. */
function schemaProblem(schema: JsonObject, place: SchemaPlace): string | undefined {
  const at = `In context=(${place.context.map((part) => `'${part}'`).join(', ')}${place.context.length === 1 ? ',' : ''})`;
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  if (types.includes('array') && !isObject(schema['items'])) return `${at}, array schema missing items.`;
  if (types.includes('object') && place.strict) {
    const problem = strictProblem(schema);
    if (problem !== undefined) return `${at}, ${problem}`;
  }
  return childProblem(schema, place);
}

function strictProblem(schema: JsonObject): string | undefined {
  if (schema['additionalProperties'] !== false)
    return "'additionalProperties' is required to be supplied and to be false.";
  const required = listOf(schema['required']);
  const missing = Object.keys(objectOf(schema['properties'])).find((name) => !required.includes(name));
  if (missing !== undefined || (schema['required'] === undefined && schema['properties'] !== undefined)) {
    return `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing ?? ''}'.`;
  }
  return undefined;
}

function childProblem(schema: JsonObject, { strict, context }: SchemaPlace): string | undefined {
  const children: [string[], unknown][] = [
    ...Object.entries(objectOf(schema['properties'])).map(([name, child]): [string[], unknown] => [
      ['properties', name],
      child,
    ]),
    ...Object.entries(objectOf(schema['$defs'])).map(([name, child]): [string[], unknown] => [['$defs', name], child]),
    [['items'], schema['items']],
    ...listOf(schema['anyOf']).map((child, index): [string[], unknown] => [['anyOf', String(index)], child]),
  ];
  for (const [path, child] of children) {
    const problem = isObject(child) ? schemaProblem(child, { strict, context: [...context, ...path] }) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
