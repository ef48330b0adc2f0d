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
  let state: State = { block: NO_BLOCK, hasLines: false };
  const take = (line: string): ReadonlyArray<Line> => {
    const taken = state.block.fence === null ? takeText(state, line) : takeCode(state, state.block.fence, line);
    const lines = taken.blocks.flatMap((block) => render(block, lexer, columns()));
    state = { block: taken.block, hasLines: state.hasLines || lines.length > 0 };
    return lines;
  };
  const render = (block: Finished, parse: Lexer, width: number): ReadonlyArray<Line> => {
    const lines = block.lines ?? linesOfBlock(block.block, parse, width);
    if (lines.length === 0) return [];
    const gap = block.block.isApart && state.hasLines ? [EMPTY_LINE] : [];
    state = { ...state, hasLines: true };
    return [...gap, ...lines];
  };
  return {
    add: (text) => {
      rest += text;
      const end = rest.lastIndexOf('\n');
      if (end < 0) return [];
      const whole = rest.slice(0, end).split('\n');
      rest = rest.slice(end + 1);
      return whole.flatMap(take);
    },
    tail: () => {
      const { block, hasLines } = state;
      if (block.fence !== null) return rest === '' ? [] : [plainLine(rest, 'code')];
      const all = { ...block, lines: rest === '' ? block.lines : [...block.lines, rest] };
      const lines = linesOfBlock(all, lexer, columns());
      return lines.length > 0 && hasLines && block.isApart ? [EMPTY_LINE, ...lines] : lines;
    },
    end: () => {
      const last = rest === '' ? [] : take(rest);
      rest = '';
      const lines = [...last, ...render({ block: state.block }, lexer, columns())];
      state = { ...state, block: NO_BLOCK };
      return lines;
    },
  };
}

type State = { readonly block: Block; readonly hasLines: boolean };

/** A block that is complete; `lines`: it was rendered already. */
type Finished = { readonly block: Block; readonly lines?: ReadonlyArray<Line> };

/** What a line finished, and the block that it leaves open. */
type Taken = { readonly blocks: ReadonlyArray<Finished>; readonly block: Block };

function takeCode({ block }: State, fence: Fence, line: string): Taken {
  if (isFenceEnd(line, fence)) return { blocks: [], block: NO_BLOCK };
  const coloured = fence.colours(line.slice(indentOf(line, fence.indent)));
  // The first line of code stands apart from what is before it, unless its language does.
  const isApart = !fence.isBegun && fence.language === '';
  return {
    blocks: [{ block: { ...NO_BLOCK, isApart }, lines: [coloured] }],
    block: { ...block, fence: { ...fence, isBegun: true } },
  };
}

function takeText({ block }: State, line: string): Taken {
  const fence = fenceOf(line);
  if (fence !== null) {
    const label = fence.language === '' ? [] : [{ block: NO_BLOCK, lines: [plainLine(fence.language, 'dim')] }];
    return { blocks: [{ block }, ...label], block: { ...NO_BLOCK, fence } };
  }
  const kind = kindOf(line);
  if (kind === 'blank') {
    if (block.kind !== 'list') return { blocks: [{ block }], block: NO_BLOCK };
    return { blocks: [], block: { ...block, lines: [...block.lines, line], hasBlank: true } };
  }
  if (goesOn(block, kind, line)) return { blocks: [], block: { ...block, lines: [...block.lines, line] } };
  const isNextItem = block.kind === 'list' && kind === 'list';
  const isCut = block.kind === kind && kind === 'text' && block.lines.length >= MOST_LINES;
  const next: Block = { ...NO_BLOCK, kind, lines: [line], isApart: !isNextItem && !isCut };
  const isWhole = kind === 'heading' || kind === 'rule';
  return isWhole ? { blocks: [{ block }, { block: next }], block: NO_BLOCK } : { blocks: [{ block }], block: next };
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

function linesOfBlock({ lines }: Block, lexer: Lexer, columns: number): ReadonlyArray<Line> {
  return lines.every((line) => line.trim() === '') ? [] : renderBlock(lines.join('\n'), lexer, columns);
}

function kindOf(line: string): Kind {
  if (line.trim() === '') return 'blank';
  if (/^ {0,3}#{1,6}(?:\s|$)/.test(line)) return 'heading';
  if (/^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/.test(line)) return 'rule';
  if (/^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(line)) return 'list';
  if (/^ {0,3}>/.test(line)) return 'quote';
  return /^ {0,3}\|/.test(line) ? 'table' : 'text';
}

/** Whether a line belongs to the block before it. */
function goesOn(block: Block, kind: Kind, line: string): boolean {
  if (block.kind === null || kind === 'heading' || kind === 'rule') return false;
  if (block.kind === 'list') return /^\s{2,}/.test(line) || (kind === 'text' && !block.hasBlank);
  if (block.kind === 'text') return kind === 'text' && block.lines.length < MOST_LINES;
  if (block.kind === 'quote') return kind === 'quote' || kind === 'text';
  return block.kind === kind;
}

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
