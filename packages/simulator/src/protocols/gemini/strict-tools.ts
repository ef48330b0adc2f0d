import { isObject, type JsonObject, listOf, objectOf, shown, stringOf } from '../../wire/json.ts';
import type { Failure } from '../../protocol.ts';
import { firstDuplicate, firstOf, invalid } from '../refuse.ts';
import { declarationsOf } from './contents.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/;
const TYPES = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']);
const SCHEMA_FIELDS = new Set(
  `type format title description nullable enum items maxItems minItems properties required propertyOrdering minProperties
  maxProperties minimum maximum minLength maxLength pattern example anyOf default additionalProperties ref defs`.split(
    /\s+/,
  ),
);

export function checkTools(body: JsonObject): Failure | undefined {
  const failure = firstOf(listOf(body['tools']), (tool, index) =>
    firstOf(listOf(objectOf(tool)['functionDeclarations']), (declaration, at) =>
      checkDeclaration(objectOf(declaration), `tools[${index}].function_declarations[${at}]`),
    ),
  );
  if (failure) return failure;
  const names = declarationsOf(body).map((declaration) => stringOf(declaration['name']));
  const twice = firstDuplicate(names);
  if (twice !== undefined) return invalid(`Duplicate function declaration found: ${twice}`);
  return checkConfig(body, names);
}

function checkDeclaration(declaration: JsonObject, place: string): Failure | undefined {
  if (!NAME.test(stringOf(declaration['name']))) {
    return invalid(
      `* GenerateContentRequest.${place}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n`,
    );
  }
  const { parameters, parametersJsonSchema: jsonSchema } = declaration;
  if (parameters !== undefined && jsonSchema !== undefined) {
    return invalid(
      `* GenerateContentRequest.${place}: parameters and parameters_json_schema are mutually exclusive.\n`,
    );
  }
  if (parameters === undefined) return undefined;
  if (!isObject(parameters))
    return invalid(
      `Invalid value at '${place}.parameters' (type.googleapis.com/google.ai.generativelanguage.v1beta.Schema)`,
    );
  if (upper(parameters['type']) !== 'OBJECT') {
    return invalid(`* GenerateContentRequest.${place}.parameters.type: parameters schema should be of type OBJECT.\n`);
  }
  return checkSchema(parameters, `${place}.parameters`);
}

function upper(type: unknown): string {
  return stringOf(type).toUpperCase();
}

/** The service knows a subset of JSON Schema and names every field it does not know. */
function checkSchema(schema: JsonObject, place: string): Failure | undefined {
  const unknown = Object.keys(schema).find((name) => !SCHEMA_FIELDS.has(name));
  if (unknown !== undefined)
    return invalid(`Invalid JSON payload received. Unknown name "${unknown}" at '${place}': Cannot find field.`);
  const type = schema['type'];
  if (Array.isArray(type))
    return invalid(
      `Invalid JSON payload received. Unknown name "type" at '${place}': Proto field is not repeating, cannot start list.`,
    );
  const alternatives = listOf(schema['anyOf']);
  if (type === undefined && alternatives.length === 0)
    return invalid(`* GenerateContentRequest.${place}.type: must be specified\n`);
  if (type !== undefined && !TYPES.has(upper(type))) {
    return invalid(
      `Invalid value at '${place}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "${shown(type)}"`,
    );
  }
  return checkType(schema, place) ?? checkChildren(schema, place);
}

function checkType(schema: JsonObject, place: string): Failure | undefined {
  const type = upper(schema['type']);
  if (type === 'ARRAY' && !isObject(schema['items']))
    return invalid(`* GenerateContentRequest.${place}.items: missing field.\n`);
  if (schema['enum'] !== undefined && type !== 'STRING')
    return invalid(`* GenerateContentRequest.${place}.enum: only allowed for STRING type\n`);
  if (listOf(schema['enum']).includes(''))
    return invalid(`* GenerateContentRequest.${place}.enum[0]: cannot be empty\n`);
  const properties = objectOf(schema['properties']);
  const stray = listOf(schema['required']).find((name) => !(stringOf(name) in properties));
  if (stray === undefined) return undefined;
  const at = listOf(schema['required']).indexOf(stray);
  return invalid(`* GenerateContentRequest.${place}.required[${at}]: property is not defined\n`);
}

function checkChildren(schema: JsonObject, place: string): Failure | undefined {
  const children: [string, unknown][] = [
    ...Object.entries(objectOf(schema['properties'])).map(([name, child]): [string, unknown] => [
      `${place}.properties[${name}]`,
      child,
    ]),
    [`${place}.items`, schema['items']],
    ...listOf(schema['anyOf']).map((child, index): [string, unknown] => [`${place}.any_of[${index}]`, child]),
  ];
  return firstOf(children, ([where, child]) => (isObject(child) ? checkSchema(child, where) : undefined));
}

function checkConfig(body: JsonObject, names: string[]): Failure | undefined {
  const config = objectOf(objectOf(body['toolConfig'])['functionCallingConfig']);
  const mode = config['mode'];
  if (mode !== undefined && !['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED'].includes(stringOf(mode))) {
    return invalid(`Invalid value at 'tool_config.function_calling_config.mode', "${shown(mode)}"`);
  }
  const allowed = listOf(config['allowedFunctionNames']);
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED') {
    return invalid('Function calling config: allowed_function_names should only be set when mode is ANY or VALIDATED.');
  }
  const stray = allowed.find((name) => !names.includes(stringOf(name)));
  return stray === undefined
    ? undefined
    : invalid(`Function calling config: allowed function name ${stringOf(stray)} is not declared.`);
}
