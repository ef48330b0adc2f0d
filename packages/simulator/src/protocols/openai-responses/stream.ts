import { type Answer, type AnswerPart, splitDeltas } from '../../answer/answer.ts';
import { shortHash } from '../../answer/signature.ts';
import type { JsonObject } from '../../wire/json.ts';
import type { WireEvent } from '../../wire/sse.ts';
import type { ModelRequest } from '../../protocol.ts';
import { calledName, contentOf, ending, itemId, itemOf, responseHead, summaryOf, usageOf } from './complete.ts';

interface Draft {
  type: string;
  fields: JsonObject;
  output?: boolean;
}

export function stream(answer: Answer, request: ModelRequest): WireEvent[] {
  const head = responseHead(answer, request);
  const output = answer.parts.map((_part, index) => itemOf(answer, index, request));
  const end = ending(answer);
  const last = { ...head, ...end, output, usage: usageOf(answer.usage) };
  return number([
    ...openingDrafts(head),
    ...answer.parts.flatMap((part, index) => itemDrafts({ part, index, answer, request })),
    ...searchDrafts(answer),
    { type: end.status === 'completed' ? 'response.completed' : 'response.incomplete', fields: { response: last } },
  ]);
}

export function opening(answer: Answer, request: ModelRequest): WireEvent[] {
  return number(openingDrafts(responseHead(answer, request)));
}

function openingDrafts(head: JsonObject): Draft[] {
  return [
    { type: 'response.created', fields: { response: head } },
    { type: 'response.in_progress', fields: { response: head } },
  ];
}

interface PartInAnswer {
  part: AnswerPart;
  index: number;
  answer: Answer;
  request: ModelRequest;
}

function itemDrafts(placed: PartInAnswer): Draft[] {
  const { part, index, answer, request } = placed;
  const done = itemOf(answer, index, request);
  const place = { output_index: index };
  return [
    { type: 'response.output_item.added', fields: { ...place, item: startOf(done) } },
    ...(part.type === 'thinking'
      ? summaryDrafts(placed)
      : part.type === 'tool_call'
        ? callDrafts(placed)
        : textDrafts(placed)),
    { type: 'response.output_item.done', fields: { ...place, item: done } },
  ];
}

/** The service's own search, and the pages that the text names. */
function searchDrafts(answer: Answer): Draft[] {
  const { found = [], parts, seed } = answer;
  const text = parts.findIndex(({ type }) => type === 'text');
  if (found.length === 0 || text < 0) return [];
  const place = { output_index: parts.length };
  const item = { type: 'web_search_call', id: `ws_${shortHash(`${seed}/search`, 40)}` };
  const done = { ...item, status: 'completed', action: { type: 'search', query: 'what was asked' } };
  const named = { item_id: itemId(answer, text), output_index: text, content_index: 0 };
  return [
    ...found.map((page, index) => ({
      type: 'response.output_text.annotation.added',
      fields: {
        ...named,
        annotation_index: index,
        annotation: { type: 'url_citation', ...page, start_index: 0, end_index: 0 },
      },
    })),
    { type: 'response.output_item.added', fields: { ...place, item: { ...item, status: 'in_progress' } } },
    { type: 'response.output_item.done', fields: { ...place, item: done } },
  ];
}

function startOf(item: JsonObject): JsonObject {
  if (item['type'] === 'reasoning') return { ...item, summary: [] };
  if (item['type'] === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  return { ...item, status: 'in_progress', content: [] };
}

function summaryDrafts({ part, index, answer, request }: PartInAnswer): Draft[] {
  const place = { item_id: itemId(answer, index), output_index: index, summary_index: 0 };
  if (part.type !== 'thinking' || summaryOf(part, request).length === 0) return [];
  const kind = 'response.reasoning_summary';
  return [
    { type: `${kind}_part.added`, fields: { ...place, part: { type: 'summary_text', text: '' } } },
    ...splitDeltas(part.text, answer.deltaChars).map((delta) => ({
      type: `${kind}_text.delta`,
      fields: { ...place, delta },
      output: true,
    })),
    { type: `${kind}_text.done`, fields: { ...place, text: part.text } },
    { type: `${kind}_part.done`, fields: { ...place, part: { type: 'summary_text', text: part.text } } },
  ];
}

function textDrafts({ part, index, answer }: PartInAnswer): Draft[] {
  if (part.type === 'tool_call') return [];
  const place = { item_id: itemId(answer, index), output_index: index, content_index: 0 };
  const refusing = part.type === 'refusal';
  const kind = refusing ? 'response.refusal' : 'response.output_text';
  const extra = refusing ? {} : { logprobs: [] };
  return [
    { type: 'response.content_part.added', fields: { ...place, part: contentOf(part, '') } },
    ...splitDeltas(part.text, answer.deltaChars).map((delta) => ({
      type: `${kind}.delta`,
      fields: { ...place, delta, ...extra },
      output: true,
    })),
    {
      type: `${kind}.done`,
      fields: { ...place, ...(refusing ? { refusal: part.text } : { text: part.text }), ...extra },
    },
    { type: 'response.content_part.done', fields: { ...place, part: contentOf(part) } },
  ];
}

function callDrafts({ part, index, answer, request }: PartInAnswer): Draft[] {
  if (part.type !== 'tool_call') return [];
  const place = { item_id: itemId(answer, index), output_index: index };
  const size = Math.max(answer.deltaChars, Math.ceil(part.args.length / 1000));
  const kind = 'response.function_call_arguments';
  return [
    ...splitDeltas(part.args, size).map((delta) => ({
      type: `${kind}.delta`,
      fields: { ...place, delta },
      output: true,
    })),
    { type: `${kind}.done`, fields: { ...place, arguments: part.args, name: calledName(part.name, request).name } },
  ];
}

function number(drafts: Draft[]): WireEvent[] {
  return drafts.map(({ type, fields, output }, index) => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: index, ...fields }),
    ...(output && { output }),
  }));
}
