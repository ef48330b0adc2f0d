import { isObject, type JsonObject, listOf, objectOf, shown, stringOf } from '../../wire/json.ts';
import type { Failure } from '../../protocol.ts';
import { firstDuplicate, firstOf, invalid } from '../refuse.ts';

export function checkTools(body: JsonObject): Failure | undefined {
  const tools = listOf(body['tools']);
  const failure = firstOf(tools, checkTool);
  if (failure) return failure;
  const names = tools.map((tool) => stringOf(objectOf(tool)['name']));
  if (firstDuplicate(names) !== undefined) return invalid('tools: Tool names must be unique.');
  return checkChoice(body, names);
}

function checkTool(tool: unknown, index: number): Failure | undefined {
  if (!isObject(tool)) return invalid(`tools.${index}: Input should be a valid dictionary or object`);
  if (tool['type'] !== undefined && tool['type'] !== 'custom') return undefined;
  const place = `tools.${index}.custom`;
  const { name, input_schema: schema } = tool;
  if (typeof name !== 'string') return invalid(`${place}.name: Field required`);
  if (name.length > 128) return invalid(`${place}.name: String should have at most 128 characters`);
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name))
    return invalid(`${place}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  if (schema === undefined) return invalid(`${place}.input_schema: Field required`);
  if (!isObject(schema)) return invalid(`${place}.input_schema: Input should be a valid dictionary`);
  if (schema['type'] === undefined) return invalid(`${place}.input_schema.type: Field required`);
  if (schema['type'] !== 'object') return invalid(`${place}.input_schema.type: Input should be 'object'`);
  return checkSchema(schema, place);
}

function checkSchema(schema: JsonObject, place: string): Failure | undefined {
  if (['oneOf', 'allOf', 'anyOf'].some((name) => name in schema)) {
    return invalid(`${place}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`);
  }
  const properties = schema['properties'];
  const named = Object.keys(objectOf(properties)).find((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
  if (named !== undefined) {
    return invalid(`${place}.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`);
  }
  const wellFormed =
    (properties === undefined || isObject(properties)) &&
    (schema['required'] === undefined || Array.isArray(schema['required'])) &&
    Object.values(objectOf(properties)).every((property) => isObject(property) || typeof property === 'boolean');
  if (wellFormed) return undefined;
  return invalid(
    `${place}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).`,
  );
}

function checkChoice(body: JsonObject, names: string[]): Failure | undefined {
  const choice = body['tool_choice'];
  if (choice === undefined) return undefined;
  const type = objectOf(choice)['type'];
  if (!['auto', 'any', 'tool', 'none'].includes(stringOf(type))) {
    return invalid(
      `tool_choice: Input tag '${shown(type)}' found using 'type' does not match any of the expected tags: 'any', 'auto', 'none', 'tool'`,
    );
  }
  if (names.length === 0) return invalid('tool_choice may only be specified while providing `tools`.');
  if (type !== 'tool') return undefined;
  const name = stringOf(objectOf(choice)['name']);
  return names.includes(name) ? undefined : invalid(`Tool '${name}' not found in provided tools`);
}
