import { X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './button.tsx';

type OverlayProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The title is heard, not shown. */
  readonly isBare?: boolean;
  readonly width?: 'narrow' | 'wide';
};

const WIDTHS = { narrow: 'w-[min(560px,calc(100vw-24px))]', wide: 'w-[min(880px,calc(100vw-24px))]' } as const;

/** Stands over the page: the browser keeps the focus inside, closes it with Escape and gives the focus back. */
export function Overlay({ title, onClose, children, isBare = false, width = 'narrow' }: OverlayProps) {
  const element = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    const onCancel = (event: Event) => {
      event.preventDefault();
      close.current();
    };
    const onClick = (event: Event) => {
      if (event.target === dialog) close.current();
    };
    dialog?.addEventListener('cancel', onCancel);
    dialog?.addEventListener('click', onClick);
    dialog?.showModal();
    return () => {
      dialog?.removeEventListener('cancel', onCancel);
      dialog?.removeEventListener('click', onClick);
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-label={title}
      className={`rise m-auto mt-[12vh] max-h-[76vh] overflow-hidden rounded-lg border border-line bg-raised p-0 text-ink shadow-overlay open:flex open:flex-col ${WIDTHS[width]}`}
    >
      {isBare ? null : (
        <div className="flex min-h-bar shrink-0 items-center justify-between gap-2 border-b border-line py-1 pr-2 pl-4">
          <h2 className="min-w-0 text-base font-semibold wrap-anywhere">{title}</h2>
          <IconButton label="Close" onClick={onClose}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </dialog>
  );
}
