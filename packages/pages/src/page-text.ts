import type { Body } from './read-body.ts';
import { fetchFailure, type FetchFailure } from './failure.ts';

export type PageText = { readonly ok: true; readonly text: string; readonly title: string | null };

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT =
  /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|yaml|toml|javascript|ecmascript|x-ndjson|x-sh)|image\/svg\+xml)$/;
/** Where a page declares its encoding. */
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]+)/i;
const META_BYTES = 2_048;

/** A body as a model reads it: HTML as markdown, text unchanged, a PDF as its text. */
export async function pageText(
  body: Body,
  page: { readonly url: URL; readonly contentType: string },
): Promise<PageText | FetchFailure> {
  const [type = '', ...parameters] = page.contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type === 'application/pdf') return pdfPage(body, page.url);
  const looksLikeText = type === '' && !body.bytes.subarray(0, 8_192).includes(0);
  if (!HTML.test(type) && !TEXT.test(type) && !looksLikeText) {
    return fetchFailure('unsupported', `${page.url.href} is ${type || 'binary'}, which can't be shown as text.`);
  }
  const text = decoded(body.bytes, parameters.find((part) => part.startsWith('charset='))?.slice(8), HTML.test(type));
  if (!HTML.test(type)) return { ok: true, text, title: null };
  const { htmlToMarkdown } = await import('./html-to-markdown.ts');
  return { ok: true, ...(await htmlToMarkdown(text, page.url)) };
}

async function pdfPage({ bytes, isCut }: Body, url: URL): Promise<PageText | FetchFailure> {
  if (isCut) return fetchFailure('unsupported', `${url.href} is a PDF that is too large to be read.`);
  const { readPdf } = await import('./pdf.ts');
  const pdf = await readPdf(bytes, {});
  return pdf.ok
    ? { ok: true, text: pdf.text, title: null }
    : fetchFailure('unsupported', `${url.href}: ${pdf.message}`);
}

function decoded(bytes: Buffer, named: string | undefined, isHtml: boolean): string {
  const said =
    named?.replaceAll(/["']/g, '') ??
    (isHtml ? META_CHARSET.exec(bytes.subarray(0, META_BYTES).toString('latin1'))?.[1] : undefined);
  return decoderFor(bomOf(bytes) ?? said).decode(bytes);
}

function bomOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return 'utf-8';
  if (bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xfe]))) return 'utf-16le';
  return bytes.subarray(0, 2).equals(Buffer.from([0xfe, 0xff])) ? 'utf-16be' : undefined;
}

function decoderFor(label: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label ?? 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}
