import type { ButtonHTMLAttributes } from 'react';

export type ButtonKind = keyof typeof KINDS;

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { readonly kind?: ButtonKind };

/** Exactly one `primary` on a screen. */
const KINDS = {
  primary:
    'bg-accent text-page border-accent not-disabled:hover:opacity-85 disabled:border-edge disabled:bg-well disabled:text-faint',
  plain: 'bg-panel text-ink border-edge not-disabled:hover:bg-well disabled:opacity-50',
  quiet:
    'bg-transparent text-soft border-transparent not-disabled:hover:bg-well not-disabled:hover:text-ink disabled:opacity-50',
  danger: 'bg-panel text-bad border-edge not-disabled:hover:bg-bad-well disabled:opacity-50',
} as const;

const SHAPE =
  'inline-flex items-center justify-center gap-1.5 rounded-md border text-sm font-medium whitespace-nowrap disabled:cursor-not-allowed';

/** An icon fills a square: beside padding for words it would be squeezed. */
const SIZES = {
  words: 'min-h-control px-3 py-1',
  icon: 'size-control shrink-0',
  small: 'tap size-6 shrink-0',
} as const;

export function Button({ kind = 'plain', className = '', type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={`${buttonClass(kind)} ${className}`} {...rest} />;
}

/** For a link that looks like a button. */
export function buttonClass(kind: ButtonKind, size: keyof typeof SIZES = 'words'): string {
  return `${SHAPE} ${SIZES[size]} ${KINDS[kind]}`;
}

type IconButtonProps = Omit<ButtonProps, 'children'> & { readonly label: string; readonly children: React.ReactNode };

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
