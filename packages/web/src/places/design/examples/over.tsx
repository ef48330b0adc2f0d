import type { Failure } from '@attractor/api';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Empty, Loading, LoadFailed, Refused } from '../../../ui/notice.tsx';
import { Overlay } from '../../../ui/overlay.tsx';
import { showControls } from '@attractor/api/shown';
import { ToastLine } from '../../../ui/toast.tsx';
import { acted, FAILURE, HOSTILE, LONG, NO_ERROR, NO_WORDS, none, NOTHING, type Part, STILL } from './example.tsx';

function useOpened() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return { isOpen, close, button: <Button onClick={() => setOpen(true)}>Open it</Button> };
}

function Sheet({ title = 'Save this view', words = 'Escape closes it.', isWide = false }: SheetProps) {
  const { isOpen, close, button } = useOpened();
  return (
    <>
      {button}
      {isOpen ? (
        <Overlay title={title} onClose={close} width={isWide ? 'wide' : 'narrow'}>
          <p className="p-4 wrap-anywhere">{words}</p>
        </Overlay>
      ) : null}
    </>
  );
}

type SheetProps = { readonly title?: string; readonly words?: string; readonly isWide?: boolean };

function Ask({ busy = false, error = null, words = 'Its tasks and their runs go with it.' }: AskProps) {
  const { isOpen, close, button } = useOpened();
  return (
    <>
      {button}
      {isOpen ? (
        <Confirm title="Remove the project?" act="Remove" busy={busy} error={error} onConfirm={close} onClose={close}>
          {words}
        </Confirm>
      ) : null}
    </>
  );
}

type AskProps = { readonly busy?: boolean; readonly error?: Failure | null; readonly words?: string };

function Said({ text = 'SHOP-12 moved to Cancelled', isBad = false, canUndo = true }: SaidProps) {
  return <ToastLine toast={{ id: -1, text, isBad, undo: canUndo ? NOTHING : null, onEnd: null }} />;
}

type SaidProps = { readonly text?: string; readonly isBad?: boolean; readonly canUndo?: boolean };

const ITS_BUTTONS = none('Its buttons are shown as Button.');
const OPENED = { hover: ITS_BUTTONS, focus: ITS_BUTTONS, pressed: ITS_BUTTONS, disabled: ITS_BUTTONS } as const;
const BODY = none('It says what its body says.');
const OWN_WORDS = none('Its words are our own.');
const IS_ONE = none('It is one itself.');

/** What stands over the page, and what stands in place of something. */
export const OVER: ReadonlyArray<Part> = [
  {
    of: 'Overlay',
    from: 'ui/overlay.tsx',
    states: {
      ...OPENED,
      default: <Sheet />,
      busy: BODY,
      error: BODY,
      empty: <Sheet words="" />,
      long: <Sheet title={LONG} words={`${LONG}. `.repeat(30)} isWide />,
      hostile: <Sheet title={showControls(HOSTILE)} words={showControls(HOSTILE)} />,
    },
  },
  {
    of: 'Confirm',
    from: 'ui/confirm.tsx',
    states: {
      ...OPENED,
      default: <Ask />,
      busy: <Ask busy />,
      error: <Ask error={FAILURE} />,
      empty: none('It always says what is lost.'),
      long: <Ask words={LONG} />,
      hostile: <Ask words={showControls(HOSTILE)} />,
    },
  },
  {
    of: 'ToastLine',
    from: 'ui/toast.tsx',
    states: {
      ...acted(<Said />),
      disabled: none('What can not be taken back has no button.'),
      busy: none('It is said once it is done.'),
      error: <Said text="It could not be moved: a check is still running." isBad canUndo={false} />,
      empty: none('It always says something.'),
      long: <Said text={LONG} />,
      hostile: <Said text={showControls(HOSTILE)} />,
    },
  },
  {
    of: 'Empty',
    from: 'ui/notice.tsx',
    states: {
      ...STILL,
      default: (
        <Empty title="Nothing waits for you">
          What needs you comes here.
          <span className="mt-4 block">
            <Button kind="primary">New task</Button>
          </span>
        </Empty>
      ),
      error: none('That is LoadFailed.'),
      empty: <Empty title="Nothing waits for you" />,
      long: <Empty title={LONG}>{LONG}</Empty>,
      hostile: <Empty title={showControls(HOSTILE)} />,
    },
  },
  {
    of: 'LoadFailed',
    from: 'ui/notice.tsx',
    states: {
      ...OPENED,
      default: <LoadFailed error={FAILURE} />,
      busy: none('Loading takes its place.'),
      error: IS_ONE,
      empty: <LoadFailed error={{ ...FAILURE, code: 'not_found', message: 'There is no task SHOP-999.' }} />,
      long: <LoadFailed error={{ ...FAILURE, message: LONG }} />,
      hostile: <LoadFailed error={{ ...FAILURE, message: HOSTILE }} />,
    },
  },
  {
    of: 'Refused',
    from: 'ui/notice.tsx',
    states: {
      ...STILL,
      default: <Refused error={FAILURE} />,
      error: IS_ONE,
      empty: none('Without a refusal nothing is shown.'),
      long: <Refused error={{ ...FAILURE, message: LONG }} />,
      hostile: <Refused error={{ ...FAILURE, message: HOSTILE }} />,
    },
  },
  {
    of: 'Loading',
    from: 'ui/notice.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      ...NO_WORDS,
      default: <Loading />,
      empty: <Loading lines={1} />,
      long: OWN_WORDS,
    },
  },
];
