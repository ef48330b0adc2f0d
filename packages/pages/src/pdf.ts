import type * as Unpdf from 'unpdf';
import { messageOf } from '@attractor/base';
import { loadPackage } from './load-package.ts';

export type PdfText =
  | { readonly ok: true; readonly text: string; readonly pages: number }
  | { readonly ok: false; readonly message: string };

export type PdfOptions = {
  /** As people write them: `3`, `1-5`, `10-`. Absent: from the first on. */
  readonly pages?: string | undefined;
};

/** How many pages are read at once. */
const MAX_PAGES = 20;
const MAX_BYTES = 20_000_000;
const TIMEOUT_MS = 20_000;

/** The text of a PDF, page by page. Expected failures are values; the parser is loaded only here. */
export async function readPdf(bytes: Uint8Array, options: PdfOptions): Promise<PdfText> {
  if (bytes.length > MAX_BYTES) return refused(`the PDF has ${bytes.length} bytes; at most ${MAX_BYTES} are read.`);
  const reader = await loadPackage<typeof Unpdf>('unpdf');
  if (reader === null) return refused('PDFs can not be read here: the package unpdf is not installed.');
  try {
    const pdf = await inTime(reader.getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 }));
    try {
      return await inTime(readPages(pdf, options));
    } finally {
      await pdf.loadingTask.destroy();
    }
  } catch (error) {
    return refused(`the PDF could not be read: ${messageOf(error)}`);
  }
}

type Pdf = Awaited<ReturnType<typeof Unpdf.getDocumentProxy>>;

async function readPages(pdf: Pdf, { pages }: PdfOptions): Promise<PdfText> {
  const range = rangeOf(pages, pdf.numPages);
  if (range === null) return refused(`pages must be like "3", "1-5" or "10-"; the PDF has ${pdf.numPages} pages.`);
  const last = Math.min(range.last, range.first + MAX_PAGES - 1);
  const texts: string[] = [];
  for (let number = range.first; number <= last; number++) {
    texts.push(
      `[page ${number} of ${pdf.numPages}]\n${(await textOfPage(pdf, number)).trim() || '(no text on this page)'}`,
    );
  }
  if (last < range.last) texts.push(`[Pages ${last + 1} to ${range.last} are not shown: ask for them with pages.]`);
  return { ok: true, text: texts.join('\n\n'), pages: pdf.numPages };
}

async function textOfPage(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}

function rangeOf(pages: string | undefined, count: number): { readonly first: number; readonly last: number } | null {
  if (pages === undefined || pages.trim() === '') return { first: 1, last: count };
  const parts = /^\s*(\d+)\s*(-)?\s*(\d+)?\s*$/.exec(pages);
  if (parts === null || (parts[2] === undefined && parts[3] !== undefined)) return null;
  const first = Number(parts[1]);
  const last = parts[2] === undefined ? first : Number(parts[3] ?? count);
  return first < 1 || first > count || last < first ? null : { first, last: Math.min(last, count) };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it took too long')), TIMEOUT_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function refused(message: string): PdfText {
  return { ok: false, message };
}
