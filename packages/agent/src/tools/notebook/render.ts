import { isRecord } from '@attractor/base';
import type { ImagePart } from '@attractor/llm';
import type { ToolResult } from '../../types/index.ts';
import { plainText } from '../plain-text.ts';
import { type Cell, type Json, joined, type Notebook } from '@attractor/files';

const MAX_OUTPUT_CHARS = 10_000;
const MAX_IMAGES = 5;
const MAX_IMAGE_CHARS = 4_000_000;

/** A notebook as a model reads it: each cell with its id, its source and its output; images follow the text. */
export function renderNotebook({ language, cells }: Notebook, shown: ReadonlyArray<Cell> = cells): ToolResult {
  const images = shown.flatMap(({ outputs }) => outputs.flatMap(imageOf)).slice(0, MAX_IMAGES);
  const output = [`[notebook in ${language}, ${cells.length} cells]`, ...shown.map(cellText)].join('\n\n');
  return { output, isError: false, ...(images.length === 0 ? {} : { images }) };
}

function cellText({ id, type, source, executionCount, outputs }: Cell): string {
  const ran = executionCount === null ? '' : `, run ${executionCount}`;
  const printed = outputs.map(outputText).filter(Boolean).join('\n');
  return [`[cell ${id}: ${type}${ran}]`, source, ...(printed === '' ? [] : ['[output]', bounded(printed)])].join('\n');
}

/** By `output_type`. */
const OUTPUTS: Readonly<Record<string, (output: Json) => string>> = {
  stream: ({ text }) => joined(text),
  execute_result: ({ data }) => dataText(data),
  display_data: ({ data }) => dataText(data),
  error: ({ ename, evalue, traceback }) =>
    Array.isArray(traceback) && traceback.length > 0
      ? traceback.filter((line) => typeof line === 'string').join('\n')
      : `${String(ename)}: ${String(evalue)}`,
};

function outputText(output: Json): string {
  const type = String(output['output_type']);
  return Object.hasOwn(OUTPUTS, type) ? plainText(OUTPUTS[type]?.(output) ?? '').trimEnd() : '';
}

function dataText(data: unknown): string {
  if (!isRecord(data)) return '';
  const text = joined(data['text/plain']);
  const picture = Object.keys(data).find((type) => type.startsWith('image/'));
  return [text, picture === undefined ? '' : `[${picture}]`].filter(Boolean).join('\n');
}

function imageOf({ data }: Json): ReadonlyArray<ImagePart> {
  if (!isRecord(data)) return [];
  return ['image/png', 'image/jpeg'].flatMap((mediaType): ReadonlyArray<ImagePart> => {
    const base64 = joined(data[mediaType]).replaceAll(/\s/g, '');
    if (base64 === '' || base64.length > MAX_IMAGE_CHARS) return [];
    return [{ kind: 'IMAGE', source: { data: base64, mediaType } }];
  });
}

function bounded(text: string): string {
  if (text.length <= MAX_OUTPUT_CHARS) return text;
  return `${text.slice(0, MAX_OUTPUT_CHARS)}\n[${text.length - MAX_OUTPUT_CHARS} more characters of output are not shown.]`;
}
