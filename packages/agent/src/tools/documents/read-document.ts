import { defined } from '@attractor/base';
import type { ExecutionEnvironment, ToolResult } from '../../types/index.ts';
import { failure } from '../arguments.ts';
import { parseNotebook } from '@attractor/files';
import { renderNotebook } from '../notebook/render.ts';

export type DocumentOptions = { readonly pages?: string | undefined; readonly signal?: AbortSignal };

type Read = (env: ExecutionEnvironment, file: string, options: DocumentOptions) => Promise<ToolResult | null>;

/** By file extension. A file that its reader does not recognise (null) is read as text. */
const READERS: ReadonlyArray<readonly [RegExp, Read]> = [
  [/\.pdf$/i, readPdfFile],
  [/\.ipynb$/i, readNotebookFile],
];

/** The file as a document; null if it is none and should be read as text. */
export async function readDocument(
  env: ExecutionEnvironment,
  file: string,
  options: DocumentOptions,
): Promise<ToolResult | null> {
  const reader = READERS.find(([name]) => name.test(file))?.[1];
  return reader === undefined ? null : reader(env, file, options);
}

const PDF_START = Buffer.from('%PDF-');

async function readPdfFile(
  env: ExecutionEnvironment,
  file: string,
  { pages, signal }: DocumentOptions,
): Promise<ToolResult | null> {
  const bytes = await env.readBytes(file, defined({ signal }));
  if (!Buffer.from(bytes.subarray(0, 1_024)).includes(PDF_START)) return null;
  const { readPdf } = await import('@attractor/pages/pdf');
  const pdf = await readPdf(bytes, { pages });
  return pdf.ok ? { output: pdf.text, isError: false } : failure(`${file}: ${pdf.message}`);
}

async function readNotebookFile(
  env: ExecutionEnvironment,
  file: string,
  { signal }: DocumentOptions,
): Promise<ToolResult | null> {
  const parsed = parseNotebook(await env.readText(file, defined({ signal })));
  return parsed.ok ? renderNotebook(parsed.notebook) : null;
}
