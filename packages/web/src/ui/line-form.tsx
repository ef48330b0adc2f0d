import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';

type LineFormProps = ComponentProps<typeof TextField> & {
  /** The word on the button. */
  readonly act: string;
  readonly disabled: boolean;
  readonly isBusy: boolean;
  readonly onSend: () => void;
};

/** One line and its button; Enter sends it. No form element: where foreign text is shown, a form can only be foreign. */
export function LineForm({ act, disabled, isBusy, onSend, ...field }: LineFormProps) {
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          {...field}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !disabled && !isBusy) onSend();
          }}
        />
      </div>
      <Button isBusy={isBusy} disabled={disabled} onClick={onSend}>
        {act}
      </Button>
    </div>
  );
}
