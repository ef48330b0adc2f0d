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
  'inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md border px-3 py-1 text-sm font-medium whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-50';

export function Button({ kind = 'plain', className = '', type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={`${SHAPE} ${KINDS[kind]} ${className}`} {...rest} />;
}

/** For a link that looks like a button. */
export function buttonClass(kind: ButtonKind): string {
  return `${SHAPE} ${KINDS[kind]}`;
}

type IconButtonProps = Omit<ButtonProps, 'children'> & { readonly label: string; readonly children: React.ReactNode };

/** Its name is only heard and shown on hover. */
export function IconButton({ label, children, className = '', kind = 'quiet', ...rest }: IconButtonProps) {
  return (
    <Button kind={kind} aria-label={label} title={label} className={`min-w-8 px-0 ${className}`} {...rest}>
      {children}
    </Button>
  );
}
