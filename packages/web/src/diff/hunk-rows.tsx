import type { FileDiff } from '@attractor/api';
import {
  type CommentedLine,
  type DiffLine,
  linesOf,
  pairsOf,
  showControls,
  codePieces,
  type CodeToken,
} from '@attractor/api/shown';
import { MessageSquarePlus } from 'lucide-react';
import { Fragment, type KeyboardEvent, type ReactNode } from 'react';
import { CODE_COLOURS } from '../ui/code-colours.ts';
import { keyed } from '../ui/keyed.ts';

type HunkProps = {
  readonly hunk: FileDiff['hunks'][number];
  readonly tokens: (line: DiffLine) => ReadonlyArray<CodeToken> | undefined;
  readonly first: CommentedLine | null;
  readonly under: (at: CommentedLine) => ReactNode;
  readonly onComment?: (at: CommentedLine) => void;
};

/** What was and what is, one below the other. */
export function UnifiedHunk({ hunk, tokens, under, ...commenting }: HunkProps) {
  return linesOf(hunk).map((line, at, all) => {
    const below = under(placeOf(line));
    return (
      <Fragment key={`${line.kind} ${line.before} ${line.after}`}>
        <tr
          {...(line.kind !== 'context' && (all[at - 1]?.kind ?? 'context') === 'context' ? CHANGE : undefined)}
          className={`${ROW} ${ROWS[line.kind]}`}
        >
          <LineNumber line={line} side="before" {...commenting} />
          <LineNumber line={line} side="after" {...commenting} />
          <Code line={line} tokens={tokens} />
        </tr>
        {below === null ? null : (
          <tr>
            <td colSpan={3} className="p-2 font-sans">
              {below}
            </td>
          </tr>
        )}
      </Fragment>
    );
  });
}

/** What was beside what is. */
export function SplitHunk({ hunk, tokens, under, ...commenting }: HunkProps) {
  return pairsOf(hunk).map(({ left, right }, at, all) => {
    const below = [
      left?.kind === 'removed' ? under(placeOf(left)) : null,
      right === null ? null : under(placeOf(right)),
    ].filter((one) => one !== null);
    const isChange = left !== right && (at === 0 || all[at - 1]?.left === all[at - 1]?.right);
    const [was, is] = [left, right].map((side) => (side === null ? 'bg-well' : ROWS[side.kind]));
    return (
      <Fragment key={`${left?.before ?? ''} ${right?.after ?? ''}`}>
        <tr {...(isChange ? CHANGE : undefined)} className={ROW}>
          <LineNumber line={left} side="before" tone={was} {...commenting} />
          <Code line={left} tokens={tokens} tone={was} />
          <LineNumber line={right} side="after" tone={is} {...commenting} />
          <Code line={right} tokens={tokens} tone={is} />
        </tr>
        {below.length === 0 ? null : (
          <tr>
            <td colSpan={4} className="p-2 font-sans">
              <div className="flex flex-col gap-2">
                {keyed(below).map(({ key, item }) => (
                  <Fragment key={key}>{item}</Fragment>
                ))}
              </div>
            </td>
          </tr>
        )}
      </Fragment>
    );
  });
}

/** Where the keys from change to change stop. */
const CHANGE = { 'data-change': true, tabIndex: -1 } as const;
/** The mark of the focus is inside: the rows beside it would cover it. */
const ROW = 'group -outline-offset-2';

function placeOf({ before, after }: DiffLine): CommentedLine {
  return after === null ? { side: 'before', line: before ?? 0 } : { side: 'after', line: after };
}

/** With the arrows from line to line: each one of them in the tab order would be hundreds of stops. */
function chooseLine(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...(event.currentTarget.closest('table')?.querySelectorAll<HTMLElement>('button[data-line]') ?? [])];
  event.preventDefault();
  buttons[buttons.indexOf(event.currentTarget) + step]?.focus();
}

const ROWS = { context: '', added: 'bg-good-well', removed: 'bg-bad-well' } as const;
const MARKS = { context: '', added: 'bg-good-mark', removed: 'bg-bad-mark' } as const;
const SIGNS = { context: ' ', added: '+', removed: '−' } as const;
const SAID = { context: '', added: 'added: ', removed: 'removed: ' } as const;

type LineNumberProps = Pick<HunkProps, 'first' | 'onComment'> & {
  readonly line: DiffLine | null;
  readonly side: CommentedLine['side'];
  readonly tone?: string | undefined;
};

/** Its button comments on the line: of one that stayed, on what it is now. */
function LineNumber({ line, side, tone = '', first, onComment }: LineNumberProps) {
  const value = line?.[side] ?? null;
  const at = line === null ? null : placeOf(line);
  return (
    <td
      className={`relative w-8 min-w-8 pr-1.5 text-right md:w-12 md:min-w-12 md:pr-2 align-top text-faint select-none ${tone}`}
    >
      {value}
      {at?.side !== side || onComment === undefined ? null : (
        <button
          type="button"
          tabIndex={first?.side === side && first.line === at.line ? 0 : -1}
          data-line={at.line}
          aria-label={`Comment on ${side === 'before' ? 'removed line' : 'line'} ${at.line}`}
          onKeyDown={chooseLine}
          onClick={() => onComment(at)}
          className="absolute -top-0.5 left-0 z-[1] flex size-6 items-center justify-center rounded bg-accent text-page opacity-0 group-hover:opacity-100 focus:opacity-100"
        >
          <MessageSquarePlus size={13} aria-hidden />
        </button>
      )}
    </td>
  );
}

type CodeProps = {
  readonly line: DiffLine | null;
  readonly tokens: HunkProps['tokens'];
  readonly tone?: string | undefined;
};

function Code({ line, tokens, tone = '' }: CodeProps) {
  if (line === null) return <td className={tone} aria-label="no line" />;
  return (
    <td className={`pr-2 pl-6 -indent-4 align-top wrap-anywhere whitespace-pre-wrap ${tone}`}>
      <span aria-hidden className="inline-block w-4 indent-0 text-faint select-none">
        {SIGNS[line.kind]}
      </span>
      <span className="sr-only">{SAID[line.kind]}</span>
      {keyed(codePieces(line.parts, tokens(line))).map(({ key, item: { text, isMarked, kind } }) =>
        isMarked ? (
          <mark key={key} className={`${kind === null ? 'text-ink' : CODE_COLOURS[kind]} ${MARKS[line.kind]}`}>
            {showControls(text)}
          </mark>
        ) : kind === null ? (
          <Fragment key={key}>{showControls(text)}</Fragment>
        ) : (
          <span key={key} className={CODE_COLOURS[kind]}>
            {showControls(text)}
          </span>
        ),
      )}
    </td>
  );
}
