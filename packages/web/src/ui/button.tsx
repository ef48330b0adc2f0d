import type { ButtonHTMLAttributes } from 'react';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { readonly kind?: keyof typeof KINDS };

/** Exactly one `primary` on a screen. */
const KINDS = {
  primary: 'bg-ink text-page border-ink hover:opacity-85',
  plain: 'bg-panel text-ink border-edge hover:bg-well',
  quiet: 'bg-transparent text-soft border-transparent hover:bg-well hover:text-ink',
  danger: 'bg-panel text-bad border-edge hover:bg-bad-well',
} as const;

const SHAPE =
  'inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md border px-3 py-1 text-[13px] font-medium whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-50';

export function Button({ kind = 'plain', className = '', type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={`${SHAPE} ${KINDS[kind]} ${className}`} {...rest} />;
}

export function buttonClass(kind: keyof typeof KINDS): string {
  return `${SHAPE} ${KINDS[kind]}`;
}
