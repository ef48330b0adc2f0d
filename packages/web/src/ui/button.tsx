import type { ButtonHTMLAttributes } from 'react';

export type ButtonKind = keyof typeof KINDS;

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { readonly kind?: ButtonKind };

/** Exactly one `primary` on a screen. */
const KINDS = {
  primary: 'bg-accent text-page border-accent hover:opacity-85',
  plain: 'bg-panel text-ink border-edge hover:bg-well',
  quiet: 'bg-transparent text-soft border-transparent hover:bg-well hover:text-ink',
  danger: 'bg-panel text-bad border-edge hover:bg-bad-well',
} as const;

const SHAPE =
  'inline-flex items-center justify-center gap-1.5 rounded-md border text-sm font-medium whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-50';

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
