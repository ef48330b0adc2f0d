import { type Act, useActs } from '../keys/acts.ts';

type FormKeys = {
  readonly hasKeys: boolean | undefined;
  readonly onApprove?: () => void;
  readonly onEdit?: () => void;
  readonly onAskForChanges?: () => void;
  readonly onReject?: () => void;
};

/** A approves, E edits, R says why not. */
export function useFormKeys({ hasKeys = false, onApprove, onEdit, onAskForChanges, onReject }: FormKeys): void {
  const acts: ReadonlyArray<Act | null> = [
    act('a', 'Approve, allow or take the suggested answer', onApprove),
    act('e', 'Edit what is shown', onEdit),
    act('e', 'Ask for changes', onAskForChanges),
    act('r', 'Reject with a reason', onReject),
  ];
  useActs(hasKeys ? acts.filter((one) => one !== null) : NONE);
}

const NONE: ReadonlyArray<Act> = [];

function act(keys: string, label: string, run: (() => void) | undefined): Act | null {
  return run === undefined ? null : { id: `answer ${keys}`, label, group: 'Answering', keys, run };
}
