import type { FileDiff } from '@attractor/api';
import { MessageSquarePlus } from 'lucide-react';
import { Fragment, memo, type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { keyed } from '../ui/keyed.ts';
import { showControls } from '../ui/plain-text.ts';
import { type DiffLine, linesOf, pairsOf } from './diff-lines.ts';

export type DiffLayout = 'unified' | 'split';

type DiffFileProps = {
  readonly file: FileDiff;
  readonly layout: DiffLayout;
  /** What stands under a line: remarks on it. */
  readonly under: (line: number) => ReactNode;
  readonly onComment: (line: number) => void;
};

/** A longer file is drawn when somebody wants to see it. */
const SHOWN_LINES = 800;

/** What changed in a file. */
export const DiffFile = memo(function DiffFile({ file, layout, under, onComment }: DiffFileProps) {
  const [whole, setWhole] = useState(false);
  const count = file.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  if (file.binary) return <p className="px-4 py-3 text-sm text-soft">A binary file: it is not shown.</p>;
  if (file.hunks.length === 0) return <p className="px-4 py-3 text-sm text-soft">No line of it changed.</p>;
  if (count > SHOWN_LINES && !whole)
    return (
      <div className="px-4 py-3">
        <Button onClick={() => setWhole(true)}>Show {count.toLocaleString()} lines</Button>
      </div>
    );
  const Body = layout === 'split' ? SplitHunk : UnifiedHunk;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={`Change of ${showControls(file.path)}`}>
      <table className="w-full border-collapse font-mono text-sm leading-5">
        <tbody>
          {file.hunks.map((hunk) => (
            <Fragment key={`${hunk.oldStart} ${hunk.newStart}`}>
              <tr className="bg-well text-faint">
                <td colSpan={layout === 'split' ? 4 : 3} className="px-3 py-0.5">
                  line {hunk.newStart} {showControls(hunk.section)}
                </td>
              </tr>
              <Body hunk={hunk} under={under} onComment={onComment} />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
});

type HunkProps = { readonly hunk: FileDiff['hunks'][number] } & Pick<DiffFileProps, 'under' | 'onComment'>;

function UnifiedHunk({ hunk, under, onComment }: HunkProps) {
  return linesOf(hunk).map((line) => {
    const below = line.after === null ? null : under(line.after);
    return (
      <Fragment key={`${line.kind} ${line.before} ${line.after}`}>
        <tr className={`group ${ROWS[line.kind]}`}>
          <LineNumber value={line.before} />
          <LineNumber value={line.after} onComment={onComment} />
          <Code line={line} />
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

function SplitHunk({ hunk, under, onComment }: HunkProps) {
  return pairsOf(hunk).map(({ left, right }) => {
    const below = right === null || right.after === null ? null : under(right.after);
    return (
      <Fragment key={`${left?.before ?? ''} ${right?.after ?? ''}`}>
        <tr className="group">
          <LineNumber value={left?.before ?? null} tone={left === null ? '' : ROWS[left.kind]} />
          <Code line={left} tone={left === null ? 'bg-well' : ROWS[left.kind]} />
          <LineNumber
            value={right?.after ?? null}
            tone={right === null ? '' : ROWS[right.kind]}
            onComment={onComment}
          />
          <Code line={right} tone={right === null ? 'bg-well' : ROWS[right.kind]} />
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

const ROWS = { context: '', added: 'bg-good-well', removed: 'bg-bad-well' } as const;
const MARKS = { context: '', added: 'bg-good-mark', removed: 'bg-bad-mark' } as const;
const SIGNS = { context: ' ', added: '+', removed: '−' } as const;
const SAID = { context: '', added: 'added: ', removed: 'removed: ' } as const;

type LineNumberProps = {
  readonly value: number | null;
  readonly tone?: string;
  readonly onComment?: (line: number) => void;
};

function LineNumber({ value, tone = '', onComment }: LineNumberProps) {
  return (
    <td className={`relative w-12 min-w-12 pr-2 text-right align-top text-faint select-none ${tone}`}>
      {value}
      {value === null || onComment === undefined ? null : (
        <button
          type="button"
          aria-label={`Comment on line ${value}`}
          onClick={() => onComment(value)}
          className="absolute inset-y-0 left-0 hidden w-6 items-center justify-center rounded bg-accent text-page group-hover:flex focus:flex"
        >
          <MessageSquarePlus size={13} aria-hidden />
        </button>
      )}
    </td>
  );
}

function Code({ line, tone = '' }: { readonly line: DiffLine | null; readonly tone?: string }) {
  if (line === null) return <td className={tone} aria-label="no line" />;
  return (
    <td className={`px-2 align-top break-words whitespace-pre-wrap ${tone}`}>
      <span aria-hidden className="mr-2 text-faint select-none">
        {SIGNS[line.kind]}
      </span>
      <span className="sr-only">{SAID[line.kind]}</span>
      {keyed(line.parts).map(({ key, item: { text, isMarked } }) =>
        isMarked ? (
          <mark key={key} className={`rounded-sm text-ink ${MARKS[line.kind]}`}>
            {showControls(text)}
          </mark>
        ) : (
          <Fragment key={key}>{showControls(text)}</Fragment>
        ),
      )}
    </td>
  );
}
