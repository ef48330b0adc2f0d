import type { KeyboardEvent, Ref } from 'react';
import { FIELD } from './field.tsx';

type MessageFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly rows?: number;
  readonly onChange: (value: string) => void;
  readonly isMono?: boolean;
  readonly placeholder?: string;
  readonly field?: Ref<HTMLTextAreaElement>;
  /** With the modifier key and Enter. */
  readonly onSend?: () => void;
};

export function MessageField({
  label,
  value,
  rows = 2,
  onChange,
  isMono = false,
  placeholder,
  field,
  onSend,
}: MessageFieldProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (onSend === undefined || event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <label className="flex flex-col gap-1">
      <span className="text-sm text-soft">{label}</span>
      <textarea
        ref={field}
        rows={rows}
        value={value}
        placeholder={placeholder}
        onKeyDown={onKeyDown}
        onChange={(event) => onChange(event.target.value)}
        className={`${FIELD} min-h-control py-1.5 ${isMono ? 'font-mono' : ''}`}
      />
    </label>
  );
}

/** An empty field is no message. */
export function messageOf(text: string): { readonly message?: string } {
  return text.trim() === '' ? {} : { message: text.trim() };
}
