import type { ButtonHTMLAttributes, MouseEvent } from 'react';

export type ButtonKind = keyof typeof KINDS;

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly kind?: ButtonKind;
  /** What it does is under way: it keeps its look and the focus, does nothing, and after a moment it is seen to work. */
  readonly isBusy?: boolean;
  /** Its words come from elsewhere and may be many: they take several lines where there is no room for one. */
  readonly isLong?: boolean;
};

/** Exactly one `primary` on a screen. */
const KINDS = {
  primary:
    'bg-accent text-page border-accent not-disabled:hover:opacity-85 not-disabled:active:opacity-70 disabled:border-edge disabled:bg-well disabled:text-faint',
  plain: 'bg-panel text-ink border-edge not-disabled:hover:bg-well not-disabled:active:bg-line disabled:opacity-50',
  quiet:
    'bg-transparent text-soft border-transparent not-disabled:hover:bg-well not-disabled:hover:text-ink not-disabled:active:bg-line disabled:opacity-50',
  danger:
    'bg-panel text-bad border-edge not-disabled:hover:bg-bad-well not-disabled:active:border-bad not-disabled:active:bg-bad-well disabled:opacity-50',
} as const;

const SHAPE =
  'inline-flex items-center justify-center gap-1.5 rounded-md border text-sm font-medium disabled:cursor-not-allowed aria-busy:cursor-progress';

/** An icon fills a square: beside padding for words it would be squeezed. */
const SIZES = {
  words: 'min-h-control px-3 py-1 whitespace-nowrap',
  sentence: 'min-h-control max-w-full px-3 py-1 text-left wrap-anywhere',
  icon: 'size-control shrink-0',
  small: 'tap size-6 shrink-0',
} as const;

export function Button({ kind = 'plain', className = '', type = 'button', isBusy, isLong, ...rest }: ButtonProps) {
  const look = buttonClass(kind, isLong === true ? 'sentence' : 'words');
  return <button type={type} className={`${look} ${className}`} {...rest} {...(isBusy === true ? BUSY : undefined)} />;
}

/** A disabled button would lose the focus, and look for a moment as if it could not be used. */
const BUSY = {
  'aria-busy': true,
  'aria-disabled': true,
  onClick: (event: MouseEvent) => event.preventDefault(),
} as const;

/** For a link that looks like a button. */
export function buttonClass(kind: ButtonKind, size: keyof typeof SIZES = 'words'): string {
  return `${SHAPE} ${SIZES[size]} ${KINDS[kind]}`;
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'isBusy' | 'isLong'> & {
  readonly label: string;
  readonly children: React.ReactNode;
};

/** Its name is only heard and shown on hover. */
export function IconButton({ label, className = '', kind = 'quiet', type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={`${buttonClass(kind, 'icon')} ${className}`}
      {...rest}
    />
  );
}
