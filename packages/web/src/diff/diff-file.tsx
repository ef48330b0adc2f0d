import type { FileDiff } from '@attractor/api';
import { MessageSquarePlus } from 'lucide-react';
import { Fragment, type KeyboardEvent, memo, type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { keyed } from '../ui/keyed.ts';
import { showControls } from '../ui/plain-text.ts';
import { CODE_COLOURS } from '../ui/code-colours.ts';
import type { CodeToken } from '../ui/syntax.ts';
import { useSyntax } from '../ui/use-syntax.ts';
import { codePieces } from './code-pieces.ts';
import { type DiffLine, linesOf, pairsOf } from './diff-lines.ts';
import { hunkTokens } from './hunk-tokens.ts';

export type DiffLayout = 'unified' | 'split';

type DiffFileProps = {
  readonly file: FileDiff;
  readonly layout: DiffLayout;
  /** What stands under a line: remarks on it. */
  readonly under?: (line: number) => ReactNode;
  /** Absent: its lines are only read. */
  readonly onComment?: (line: number) => void;
};

const NOTHING_UNDER = () => null;

/** A longer file is drawn when somebody wants to see it. */
const SHOWN_LINES = 800;

/** What changed in a file. */
export const DiffFile = memo(function DiffFile({ file, layout, under = NOTHING_UNDER, onComment }: DiffFileProps) {
  const [whole, setWhole] = useState(false);
  const syntax = useSyntax();
  const count = file.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  if (file.binary) return <p className="px-4 py-3 text-sm text-soft">A binary file: it is not shown.</p>;
  if (file.hunks.length === 0)
    return (
      <p className="px-4 py-3 text-sm text-soft">
        {file.status === 'moved' ? 'It was only moved.' : 'No line of it changed.'}
      </p>
    );
  if (count > SHOWN_LINES && !whole)
    return (
      <div className="px-4 py-3">
        <Button onClick={() => setWhole(true)}>Show {count.toLocaleString()} lines</Button>
      </div>
    );
  const first = file.hunks.flatMap(linesOf).find(({ after }) => after !== null)?.after ?? null;
  const Body = layout === 'split' ? SplitHunk : UnifiedHunk;
  return (
    <div
      className="overflow-x-auto pb-0.5 -outline-offset-2"
      tabIndex={0}
      role="group"
      aria-label={`Change of ${showControls(file.path)}`}
    >
      <table
        className={`w-full border-collapse font-mono text-sm leading-5 ${layout === 'split' ? 'table-fixed' : ''}`}
      >
        {layout === 'split' ? <SplitColumns /> : null}
        <tbody>
          {file.hunks.map((hunk) => (
            <Fragment key={`${hunk.oldStart} ${hunk.newStart}`}>
              {file.status === 'added' ? null : (
                <tr className="bg-well text-faint">
                  <td colSpan={layout === 'split' ? 4 : 3} className="max-w-0 truncate px-3 py-0.5">
                    line {hunk.newStart} {showControls(hunk.section)}
                  </td>
                </tr>
              )}
              <Body
                hunk={hunk}
                tokens={hunkTokens(syntax, file.path, hunk)}
                first={first}
                under={under}
                {...(onComment === undefined ? {} : { onComment })}
              />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
});

/** Both halves are equally wide, whatever stands in them. */
function SplitColumns() {
  return (
    <colgroup>
      <col className="w-12" />
      <col />
      <col className="w-12" />
      <col />
    </colgroup>
  );
}

type HunkProps = {
  readonly hunk: FileDiff['hunks'][number];
  readonly tokens: (line: DiffLine) => ReadonlyArray<CodeToken> | undefined;
  /** The first line of the file that can be remarked on: from there the arrows go on. */
  readonly first: number | null;
} & Required<Pick<DiffFileProps, 'under'>> &
  Pick<DiffFileProps, 'onComment'>;

function UnifiedHunk({ hunk, tokens, first, under, onComment }: HunkProps) {
  return linesOf(hunk).map((line) => {
    const below = line.after === null ? null : under(line.after);
    return (
      <Fragment key={`${line.kind} ${line.before} ${line.after}`}>
        <tr className={`group ${ROWS[line.kind]}`}>
          <LineNumber value={line.before} />
          <LineNumber value={line.after} first={first} {...(onComment === undefined ? {} : { onComment })} />
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

function SplitHunk({ hunk, tokens, first, under, onComment }: HunkProps) {
  return pairsOf(hunk).map(({ left, right }) => {
    const below = right === null || right.after === null ? null : under(right.after);
    return (
      <Fragment key={`${left?.before ?? ''} ${right?.after ?? ''}`}>
        <tr className="group">
          <LineNumber value={left?.before ?? null} tone={left === null ? 'bg-well' : ROWS[left.kind]} />
          <Code line={left} tokens={tokens} tone={left === null ? 'bg-well' : ROWS[left.kind]} />
          <LineNumber
            value={right?.after ?? null}
            first={first}
            tone={right === null ? 'bg-well' : ROWS[right.kind]}
            {...(onComment === undefined ? {} : { onComment })}
          />
          <Code line={right} tokens={tokens} tone={right === null ? 'bg-well' : ROWS[right.kind]} />
        </tr>
        {below === null ? null : (
          <tr>
            <td colSpan={4} className="p-2 font-sans">
              {below}
            </td>
          </tr>
        )}
      </Fragment>
    );
  });
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

type LineNumberProps = {
  readonly value: number | null;
  readonly tone?: string;
  readonly first?: number | null;
  readonly onComment?: (line: number) => void;
};

function LineNumber({ value, tone = '', first, onComment }: LineNumberProps) {
  return (
    <td
      className={`relative w-8 min-w-8 pr-1.5 text-right md:w-12 md:min-w-12 md:pr-2 align-top text-faint select-none ${tone}`}
    >
      {value}
      {value === null || onComment === undefined ? null : (
        <button
          type="button"
          tabIndex={value === first ? 0 : -1}
          data-line={value}
          aria-label={`Comment on line ${value}`}
          onKeyDown={chooseLine}
          onClick={() => onComment(value)}
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
  readonly tone?: string;
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
