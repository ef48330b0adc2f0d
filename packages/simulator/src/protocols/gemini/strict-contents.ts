import { isObject, type JsonObject, objectOf, stringOf, typeName } from '../../wire/json.ts';
import type { Failure } from '../../protocol.ts';
import { firstOf, invalid } from '../refuse.ts';

const DATA = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
];
const MIME = /^(image\/(png|jpeg|webp|heic|heif|gif)|audio\/|video\/|text\/|application\/(pdf|json|x-javascript))/;

/** Roles, and that every part holds exactly one thing. */
export function checkContents(body: JsonObject): Failure | undefined {
  const contents = body['contents'];
  if (!Array.isArray(contents) || contents.length === 0) {
    return invalid('* GenerateContentRequest.contents: contents is not specified\n');
  }
  return firstOf(contents, (content, index) => checkContent(content, index));
}

function checkContent(content: unknown, index: number): Failure | undefined {
  const place = `contents[${index}]`;
  if (!isObject(content))
    return invalid(`Invalid value at '${place}' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content)`);
  const role = content['role'];
  if (role !== undefined && role !== 'user' && role !== 'model')
    return invalid('Please use a valid role: user, model.');
  const parts = content['parts'];
  if (!Array.isArray(parts) || parts.length === 0) {
    return invalid(`* GenerateContentRequest.${place}.parts: contents.parts must not be empty.\n`);
  }
  return firstOf(parts, (part, at) => checkPart(objectOf(part), `${place}.parts[${at}]`, stringOf(role) || 'user'));
}

function checkPart(part: JsonObject, place: string, role: string): Failure | undefined {
  const data = DATA.filter((name) => part[name] !== undefined && part[name] !== '');
  const signed = part['text'] === '' && typeof part['thoughtSignature'] === 'string';
  if (data.length === 0 && !signed) {
    return invalid(
      `* GenerateContentRequest.${place}.data: required oneof field 'data' must have one initialized field\n`,
    );
  }
  if (data.length > 1)
    return invalid(`Invalid value at '${place}' (oneof), oneof field 'data' is already set. Cannot set '${data[1]}'`);
  if (part['text'] !== undefined && typeof part['text'] !== 'string') {
    return invalid(`Invalid value at '${place}.text' (TYPE_STRING), ${typeName(part['text'])}`);
  }
  if (data[0] === 'functionCall') return checkCall(objectOf(part['functionCall']), place, role);
  if (data[0] === 'functionResponse') return checkResponse(objectOf(part['functionResponse']), place, role);
  return data[0] === 'inlineData' ? checkInline(objectOf(part['inlineData']), place) : undefined;
}

function checkCall(call: JsonObject, place: string, role: string): Failure | undefined {
  if (role !== 'model') return invalid('Please ensure that function call parts are only used in turns of the model.');
  if (stringOf(call['name']) === '')
    return invalid(`* GenerateContentRequest.${place}.function_call.name: Name cannot be empty.\n`);
  return call['args'] === undefined || isObject(call['args']) ? undefined : notStruct(`${place}.function_call.args`);
}

function checkResponse(response: JsonObject, place: string, role: string): Failure | undefined {
  if (role === 'model')
    return invalid('Please ensure that function response parts are only used in turns of the user.');
  if (stringOf(response['name']) === '')
    return invalid(`* GenerateContentRequest.${place}.function_response.name: Name cannot be empty.\n`);
  return isObject(response['response']) ? undefined : notStruct(`${place}.function_response.response`);
}

function notStruct(place: string): Failure {
  return invalid(`Invalid value at '${place}' (type.googleapis.com/google.protobuf.Struct)`);
}

function checkInline(data: JsonObject, place: string): Failure | undefined {
  const mime = stringOf(data['mimeType']);
  if (!MIME.test(mime)) return invalid(`Unsupported MIME type: ${mime}`);
  const digits = stringOf(data['data']).replace(/={1,2}$/, '');
  if (digits !== '' && !/[^A-Za-z0-9+/_-]/.test(digits)) return undefined;
  return invalid(`Invalid value at '${place}.inline_data.data' (TYPE_BYTES), Base64 decoding failed`);
}
