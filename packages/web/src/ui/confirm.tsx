import type { Failure } from '@attractor/api';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Refused } from './notice.tsx';
import { Overlay } from './overlay.tsx';

type ConfirmProps = {
  readonly title: string;
  /** The word on the button that does it. */
  readonly act: string;
  readonly busy: boolean;
  readonly error: Failure | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What is lost. */
  readonly children: ReactNode;
};

/** Only for what can not be taken back; everything else is done at once, with a way back. */
export function Confirm({ title, act, busy, error, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Overlay title={title} onClose={onClose}>
      <div className="flex flex-col gap-3 p-4 text-sm">
        <div className="break-words">{children}</div>
        <Refused error={error} />
        <div className="flex gap-2">
          <Button kind="danger" isBusy={busy} onClick={onConfirm}>
            {act}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Overlay>
  );
}
