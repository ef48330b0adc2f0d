import { EMPTY_LINE, type Line, plainLine } from '../themes/line.ts';
import { createColours, type Colours } from './code-colours.ts';
import { type Lexer, renderBlock } from './render-block.ts';

/**
 * Markdown that is still being written. A block is finished when the next one begins, code line by line, a list item by item, a table when it
 * is complete; finished lines never change. However the text is split, the same lines come out.
 */
export type MarkdownStream = {
  readonly add: (text: string) => ReadonlyArray<Line>;
  /** What is not finished yet, as it would look if it ended here. */
  readonly tail: () => ReadonlyArray<Line>;
  readonly end: () => ReadonlyArray<Line>;
};

/** A paragraph that goes on for longer than this is written piece by piece. */
const MOST_LINES = 20;

export function createMarkdownStream(lexer: Lexer, columns: () => number): MarkdownStream {
  let rest = '';
  let open = NO_BLOCK;
  let hasLines = false;
  const take = (line: string, lines: Line[]): void => {
    const taken = open.fence === null ? takeText(open, line) : takeCode(open, open.fence, line);
    open = taken.block;
    for (const block of taken.blocks) render(block, lines);
  };
  const render = ({ block, lines: rendered }: Finished, lines: Line[]): void => {
    const own = rendered ?? linesOfBlock(block, lexer, columns);
    if (own.length === 0) return;
    if (block.isApart && hasLines) lines.push(EMPTY_LINE);
    hasLines = true;
    for (const line of own) lines.push(line);
  };
  return {
    add: (text) => {
      const lines: Line[] = [];
      rest += text;
      const end = rest.lastIndexOf('\n');
      if (end < 0) return lines;
      const whole = rest.slice(0, end).split('\n');
      rest = rest.slice(end + 1);
      for (const line of whole) take(line, lines);
      return lines;
    },
    tail: () => {
      if (open.fence !== null) return rest === '' ? [] : [plainLine(rest, 'code')];
      const all = rest === '' ? open : { ...open, lines: [...open.lines, rest] };
      const lines = linesOfBlock(all, lexer, columns);
      return lines.length > 0 && hasLines && open.isApart ? [EMPTY_LINE, ...lines] : lines;
    },
    end: () => {
      const lines: Line[] = [];
      if (rest !== '') take(rest, lines);
      rest = '';
      render({ block: open }, lines);
      open = NO_BLOCK;
      return lines;
    },
  };
}

/** A block that is complete; `lines`: it was rendered already. */
type Finished = { readonly block: Block; readonly lines?: ReadonlyArray<Line> };

/** What a line finished, and the block that it leaves open. */
type Taken = { readonly blocks: ReadonlyArray<Finished>; readonly block: Block };

function takeCode(block: Block, fence: Fence, line: string): Taken {
  if (isFenceEnd(line, fence)) return NOTHING;
  const coloured = fence.colours(line.slice(indentOf(line, fence.indent)));
  // The first line of code stands apart from what is before it, unless its language does.
  const isApart = !fence.isBegun && fence.language === '';
  return {
    blocks: [{ block: { ...NO_BLOCK, isApart }, lines: [coloured] }],
    block: { ...block, fence: { ...fence, isBegun: true } },
  };
}

function takeText(block: Block, line: string): Taken {
  const fence = FENCE.test(line) ? fenceOf(line) : null;
  if (fence !== null) {
    const label = fence.language === '' ? [] : [{ block: NO_BLOCK, lines: [plainLine(fence.language, 'dim')] }];
    return { blocks: [{ block }, ...label], block: { ...NO_BLOCK, fence } };
  }
  const kind = kindOf(line);
  if (kind === 'blank') {
    if (block.kind === null) return NOTHING;
    if (block.kind !== 'list') return { blocks: [{ block }], block: NO_BLOCK };
    return { blocks: [], block: { ...block, lines: [...block.lines, line], hasBlank: true } };
  }
  if (goesOn(block, kind, line)) return { blocks: [], block: { ...block, lines: [...block.lines, line] } };
  const isNextItem = block.kind === 'list' && kind === 'list' && isNumbered(line) === isNumbered(block.lines[0] ?? '');
  const isCut = block.kind === kind && kind === 'text' && block.lines.length >= MOST_LINES;
  const next: Block = { kind, lines: [line], fence: null, isApart: !isNextItem && !isCut, hasBlank: false };
  if (kind === 'heading' || kind === 'rule') return { blocks: [{ block }, { block: next }], block: NO_BLOCK };
  return { blocks: block.kind === null ? [] : [{ block }], block: next };
}

type Kind = 'blank' | 'heading' | 'rule' | 'list' | 'quote' | 'table' | 'text';

type Fence = {
  readonly mark: string;
  readonly indent: number;
  readonly language: string;
  readonly colours: Colours;
  readonly isBegun: boolean;
};

type Block = {
  readonly kind: Kind | null;
  readonly lines: ReadonlyArray<string>;
  readonly fence: Fence | null;
  /** An empty line stands before it. */
  readonly isApart: boolean;
  readonly hasBlank: boolean;
};

const NO_BLOCK: Block = { kind: null, lines: [], fence: null, isApart: true, hasBlank: false };

/** Before a block, and between two. */
const NOTHING: Taken = { blocks: [], block: NO_BLOCK };

function linesOfBlock({ lines }: Block, lexer: Lexer, columns: () => number): ReadonlyArray<Line> {
  if (!lines.some((line) => WORD.test(line))) return [];
  return renderBlock(lines.length === 1 ? (lines[0] ?? '') : lines.join('\n'), lexer, columns);
}

const WORD = /\S/;

/** Most lines begin with a letter: they are looked at once. */
const LETTER = /^[A-Za-z]/;

function kindOf(line: string): Kind {
  if (LETTER.test(line)) return 'text';
  if (!WORD.test(line)) return 'blank';
  if (/^ {0,3}#{1,6}(?:\s|$)/.test(line)) return 'heading';
  if (/^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/.test(line)) return 'rule';
  if (/^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(line)) return 'list';
  if (/^ {0,3}>/.test(line)) return 'quote';
  return /^ {0,3}\|/.test(line) ? 'table' : 'text';
}

function isNumbered(line: string): boolean {
  return /^\s*\d/.test(line);
}

/** Whether a line belongs to the block before it. */
function goesOn(block: Block, kind: Kind, line: string): boolean {
  if (block.kind === null || kind === 'heading' || kind === 'rule') return false;
  if (block.kind === 'list') return /^\s{2,}/.test(line) || (kind === 'text' && !block.hasBlank);
  if (block.kind === 'text') return kind === 'text' && block.lines.length < MOST_LINES;
  if (block.kind === 'quote') return kind === 'quote' || kind === 'text';
  return block.kind === kind;
}

const FENCE = /^\s*(?:```|~~~)/;

function fenceOf(line: string): Fence | null {
  const [, indent = '', mark = '', info = ''] = /^(\s*)(`{3,}|~{3,})\s*([^`]*)$/.exec(line) ?? [];
  if (mark === '') return null;
  const language = (info.trim().split(/[\s{:]/)[0] ?? '').toLowerCase();
  return { mark, indent: indent.length, language, colours: createColours(language), isBegun: false };
}

function isFenceEnd(line: string, { mark }: Fence): boolean {
  const text = line.trim();
  return text.startsWith(mark) && text.replaceAll(mark.charAt(0), '') === '';
}

function indentOf(line: string, most: number): number {
  return Math.min(most, /^\s*/.exec(line)?.[0].length ?? 0);
}
