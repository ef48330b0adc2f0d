import { isRecord, messageOf } from '@attractor/base';

/** The parts of an nbformat 4 notebook that we read. Everything else is kept untouched. */
export type Notebook = {
  readonly minor: number;
  readonly language: string;
  readonly cells: ReadonlyArray<Cell>;
};

export type CellType = 'code' | 'markdown' | 'raw';

/** `id` is the cell's own, or `cell-<n>`, counted from 0, if it has none. */
export type Cell = {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly executionCount: number | null;
  readonly outputs: ReadonlyArray<Json>;
};

export type Json = Readonly<Record<string, unknown>>;

export type ParsedNotebook =
  | { readonly ok: true; readonly notebook: Notebook }
  | { readonly ok: false; readonly message: string };

export function parseNotebook(text: string): ParsedNotebook {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return refused(`it is not valid JSON (${messageOf(error)}).`);
  }
  if (!isRecord(json) || !Array.isArray(json['cells'])) return refused('it has no list of cells.');
  if (json['nbformat'] !== 4) return refused(`it is of nbformat ${String(json['nbformat'])}; only 4 is read.`);
  const cells: ReadonlyArray<unknown> = json['cells'];
  return {
    ok: true,
    notebook: {
      minor: typeof json['nbformat_minor'] === 'number' ? json['nbformat_minor'] : 0,
      language: languageOf(json['metadata']),
      cells: cells.map(cellOf),
    },
  };
}

/** The position of a cell by its id, by `cell-<n>`, or by its number; null when there is none. */
export function placeOf({ cells }: Notebook, wanted: string): number | null {
  const byId = cells.findIndex(({ id }) => id === wanted);
  if (byId >= 0) return byId;
  const number = /^(?:cell-)?(\d+)$/.exec(wanted)?.[1];
  const place = number === undefined ? -1 : Number(number);
  return place >= 0 && place < cells.length ? place : null;
}

/** Text that nbformat keeps as one string or as a list of lines. */
export function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}

function cellOf(value: unknown, index: number): Cell {
  const cell = isRecord(value) ? value : {};
  const outputs: ReadonlyArray<unknown> = Array.isArray(cell['outputs']) ? cell['outputs'] : [];
  return {
    id: typeof cell['id'] === 'string' ? cell['id'] : `cell-${index}`,
    type: typeof cell['cell_type'] === 'string' ? cell['cell_type'] : 'raw',
    source: joined(cell['source']),
    executionCount: typeof cell['execution_count'] === 'number' ? cell['execution_count'] : null,
    outputs: outputs.filter(isRecord),
  };
}

function languageOf(metadata: unknown): string {
  const info = isRecord(metadata) ? metadata['language_info'] : undefined;
  const kernel = isRecord(metadata) ? metadata['kernelspec'] : undefined;
  const named = (isRecord(info) ? info['name'] : undefined) ?? (isRecord(kernel) ? kernel['language'] : undefined);
  return typeof named === 'string' ? named : 'python';
}

function refused(message: string): ParsedNotebook {
  return { ok: false, message };
}
