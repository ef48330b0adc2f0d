type MessageFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly rows?: number;
  readonly onChange: (value: string) => void;
};

export function MessageField({ label, value, rows = 2, onChange }: MessageFieldProps) {
  return (
    <label className="flex flex-col gap-1">
      <span className="text-[12px] text-soft">{label}</span>
      <textarea
        rows={rows}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="w-full rounded-md border border-edge bg-panel px-2.5 py-1.5"
      />
    </label>
  );
}

/** An empty field is no message. */
export function messageOf(text: string): { readonly message?: string } {
  return text.trim() === '' ? {} : { message: text.trim() };
}
