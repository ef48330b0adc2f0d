import type { ReactNode } from 'react';
import { useLineComments } from '../diff/line-comments.ts';
import { Decisions } from './decisions.tsx';
import type { PromptFormProps } from './prompt-form.ts';

/** It stays at the bottom of the window: whoever reads a long change can end it anywhere. */
export const REVIEW_BAR =
  'flex flex-col gap-2 rounded-lg border border-edge bg-raised p-3 md:sticky md:bottom-3 md:flex-row md:flex-wrap md:items-end md:shadow-menu md:[&>label]:flex-[1_1_280px]';

type ReviewDecisionProps = PromptFormProps<'review'> & {
  /** Files that were not viewed yet; null: nobody has opened the change. */
  readonly left: number | null;
  /** Something else on the page is the primary button. */
  readonly isSecond?: boolean;
  readonly refused: ReactNode;
};

/** The end of a review beside its change: what was said on lines goes along, and nothing is approved over it. */
export function ReviewDecision({ left, refused, ...form }: ReviewDecisionProps) {
  const { comments } = useLineComments(form.prompt.taskId);
  return (
    <section aria-label="Your review" className={REVIEW_BAR}>
      <Decisions {...form} approve="Approve" comments={comments} />
      {left === 0 ? null : (
        <span className="inline-flex items-center text-sm text-wait md:min-h-control">
          {left === null ? 'You have not opened the change yet.' : `${left} not viewed yet`}
        </span>
      )}
      {refused}
    </section>
  );
}
