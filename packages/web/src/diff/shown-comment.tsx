import { type CommentedLine, showControls } from '@attractor/api/shown';
import { Button } from '../ui/button.tsx';
import { MessageField } from '../ui/message-field.tsx';

/** How a line is called. */
export function lineName({ side, line }: CommentedLine): string {
  return side === 'before' ? `removed line ${line}` : `line ${line}`;
}

type ShownCommentProps = {
  readonly text: string;
  /** Where its line is not in view. */
  readonly on?: string;
  readonly onEdit?: () => void;
  readonly onTakeBack?: () => void;
};

export function ShownComment({ text, on, onEdit, onTakeBack }: ShownCommentProps) {
  return (
    <div className="flex items-start gap-3 rounded-md border border-wait bg-wait-well py-1 pr-1 pl-3 text-sm">
      <p className="min-w-0 flex-1 py-1.5 break-words whitespace-pre-wrap">
        {on === undefined ? null : <span className="text-soft">On {on}: </span>}
        {showControls(text)}
      </p>
      {onEdit === undefined ? null : (
        <Button kind="quiet" onClick={onEdit}>
          Edit
        </Button>
      )}
      {onTakeBack === undefined ? null : (
        <Button kind="quiet" onClick={onTakeBack}>
          Take back
        </Button>
      )}
    </div>
  );
}

/** All of it is seen: what stands at the bottom of the window would cover it. */
function beginWriting(field: HTMLTextAreaElement | null): void {
  field?.focus({ preventScroll: true });
  field?.closest('div')?.scrollIntoView({ block: 'nearest' });
}

type CommentFormProps = {
  readonly at: CommentedLine;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onKeep: () => void;
  readonly onCancel: () => void;
};

export function CommentForm({ at, text, onChange, onKeep, onCancel }: CommentFormProps) {
  return (
    <div className="flex scroll-mb-20 flex-col gap-2 rounded-md border border-edge bg-panel p-3 md:scroll-mb-36">
      <MessageField
        label={`Comment on ${lineName(at)}`}
        value={text}
        onChange={onChange}
        onSend={onKeep}
        field={beginWriting}
      />
      <div className="flex gap-2">
        <Button kind="primary" onClick={onKeep}>
          Add comment
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
