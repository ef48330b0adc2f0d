import type { FileDiff } from '@attractor/api';
import { type CommentedLine, linesOf, NO_LINES, type Piece, showControls, unfold } from '@attractor/api/shown';
import { memo, type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { useSyntax } from '../ui/use-syntax.ts';
import { FoldRow, type OnUnfold } from './fold-row.tsx';
import { hunkTokens } from './hunk-tokens.ts';
import { SplitHunk, UnifiedHunk } from './hunk-rows.tsx';

export type DiffLayout = 'unified' | 'split';

type DiffFileProps = {
  readonly file: FileDiff;
  readonly layout: DiffLayout;
  /** What is seen of it; absent: the change alone. */
  readonly pieces?: ReadonlyArray<Piece>;
  /** Absent: what is folded stays so. */
  readonly onUnfold?: OnUnfold;
  /** What stands under a line: comments on it. */
  readonly under?: (at: CommentedLine) => ReactNode;
  /** Absent: its lines are only read. */
  readonly onComment?: (at: CommentedLine) => void;
};

const NOTHING_UNDER = () => null;

/** A longer file is drawn when somebody wants to see it. */
const SHOWN_LINES = 800;

/** What changed in a file. */
export const DiffFile = memo(function DiffFile(props: DiffFileProps) {
  const { file } = props;
  const [whole, setWhole] = useState(false);
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
  return <Lines {...props} />;
});

function Lines({ file, layout, pieces, onUnfold, under = NOTHING_UNDER, onComment }: DiffFileProps) {
  const syntax = useSyntax();
  const shown = pieces ?? unfold(file.hunks, NO_LINES);
  const first = firstOf(shown);
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
          {shown.map(({ hunk, fold }, at) =>
            hunk === undefined ? (
              <FoldRow
                // By its place among the folds, so that a smaller one keeps the focus.
                key={`fold ${shown.slice(0, at).filter((one) => one.fold !== undefined).length}`}
                fold={fold}
                columns={layout === 'split' ? 4 : 3}
                {...(onUnfold === undefined ? {} : { onUnfold })}
              />
            ) : (
              <Body
                key={`${hunk.oldStart} ${hunk.newStart}`}
                hunk={hunk}
                tokens={hunkTokens(syntax, file.path, hunk)}
                first={first}
                under={under}
                {...(onComment === undefined ? {} : { onComment })}
              />
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

/** The first line that can be commented on: from there the arrows go on. */
function firstOf(shown: ReadonlyArray<Piece>): CommentedLine | null {
  const hunk = shown.find((piece) => piece.hunk !== undefined)?.hunk;
  const line = hunk === undefined ? undefined : linesOf(hunk)[0];
  if (line === undefined) return null;
  return line.after === null ? { side: 'before', line: line.before ?? 0 } : { side: 'after', line: line.after };
}

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
