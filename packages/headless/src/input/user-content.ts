import { isRecord } from '@attractor/base';
import type { ImagePart } from '@attractor/llm';
import { InputProblem } from './input-problem.ts';

type Fields = Readonly<Record<string, unknown>>;

export type UserContent = { readonly text: string; readonly images: ReadonlyArray<ImagePart> };

/** The content of a message of the Messages API. A block that can't be given to the model is refused: the prompt would be another without it. */
export async function userContent(content: unknown, line: number): Promise<UserContent> {
  if (typeof content === 'string') return { text: content, images: [] };
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  const texts: string[] = [];
  const images: ImagePart[] = [];
  for (const block of blocks) {
    if (block['type'] === 'image') images.push(imageOf(block['source'], line));
    else texts.push(await textOf(block, line));
  }
  return { text: texts.filter((text) => text.trim() !== '').join('\n\n'), images };
}

export function wrongLine(line: number, what: string): InputProblem {
  return new InputProblem(`line ${line} of stdin ${what}`);
}

async function textOf(block: Fields, line: number): Promise<string> {
  const { type, text } = block;
  if (type === 'document') return documentText(block, line);
  if (type === 'text' || type === undefined) return typeof text === 'string' ? text : '';
  throw wrongLine(line, `has content of the type ${JSON.stringify(type)}: expected text, image or document.`);
}

/** With its title, so that the question can speak of it. */
async function documentText({ source, title, context }: Fields, line: number): Promise<string> {
  const text = await sourceText(isRecord(source) ? source : {}, line);
  const about = [typeof title === 'string' ? `[document: ${title}]` : '[document]', context];
  return [...about, text, '[end of the document]'].filter((part) => typeof part === 'string').join('\n');
}

async function sourceText({ type, media_type: mediaType, data, content }: Fields, line: number): Promise<string> {
  if (type === 'text' && typeof data === 'string') return data;
  if (type === 'content') {
    const inner = await userContent(content, line);
    if (inner.images.length === 0) return inner.text;
  }
  if (type !== 'base64' || mediaType !== 'application/pdf' || typeof data !== 'string')
    throw wrongLine(line, 'has a document that can not be read here: expected a text, or a PDF in base64.');
  const { readPdf } = await import('@attractor/pages/pdf');
  const pdf = await readPdf(Buffer.from(data, 'base64'), {});
  if (!pdf.ok) throw wrongLine(line, `has a document that can not be read: ${pdf.message}`);
  return pdf.text;
}

function imageOf(source: unknown, line: number): ImagePart {
  const { type, data, media_type: mediaType, url } = isRecord(source) ? source : {};
  if (type === 'url' && typeof url === 'string') return { kind: 'IMAGE', source: { url } };
  if (type === 'base64' && typeof data === 'string' && typeof mediaType === 'string')
    return { kind: 'IMAGE', source: { data, mediaType } };
  throw wrongLine(
    line,
    'has an image without a source: expected {"type":"base64","media_type":"image/png","data":"…"} or {"type":"url","url":"…"}.',
  );
}
