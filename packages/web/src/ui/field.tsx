import { defined } from '@attractor/base';
import type { InputHTMLAttributes, ReactNode, Ref } from 'react';

/** Of every field. */
export const FIELD =
  'w-full rounded-md border border-edge bg-panel px-2.5 text-sm not-disabled:hover:border-edge-strong disabled:cursor-not-allowed disabled:bg-well disabled:text-faint aria-invalid:border-bad';

/** A name over whatever it names. */
function Labelled({ label, isLabelHidden = false, hint, problem, children }: LabelledProps) {
  return (
    <label className="flex min-w-0 flex-col gap-1">
      <span className={isLabelHidden ? 'sr-only' : 'text-sm text-soft'}>{label}</span>
      {children}
      {problem === undefined && hint === undefined ? null : (
        <span className={`text-sm ${problem === undefined ? 'text-faint' : 'text-bad'}`}>{problem ?? hint}</span>
      )}
    </label>
  );
}

type Named = {
  readonly label: string;
  /** It is heard only: for rows of a table whose columns are named above. */
  readonly isLabelHidden?: boolean;
  readonly hint?: string;
};

type LabelledProps = Named & { readonly problem?: ReactNode; readonly children: ReactNode };

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> &
  Named & {
    readonly value: string;
    /** What is wrong with what was written. */
    readonly problem?: ReactNode;
    readonly onChange: (value: string) => void;
    readonly field?: Ref<HTMLInputElement>;
  };

export function TextField({
  label,
  isLabelHidden,
  hint,
  problem,
  value,
  onChange,
  field,
  className = '',
  ...rest
}: TextFieldProps) {
  return (
    <Labelled label={label} {...defined({ isLabelHidden, hint, problem })}>
      <input
        {...rest}
        aria-invalid={problem === undefined ? undefined : true}
        ref={field}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${FIELD} h-control ${className}`}
      />
    </Labelled>
  );
}

export type Choice = { readonly value: string; readonly label: string };

type ChoiceFieldProps = Named & {
  readonly value: string;
  readonly choices: ReadonlyArray<Choice>;
  readonly onChange: (value: string) => void;
};

export function ChoiceField({ label, isLabelHidden, hint, value, choices, onChange }: ChoiceFieldProps) {
  return (
    <Labelled label={label} {...defined({ isLabelHidden, hint })}>
      <select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${FIELD} pick h-control pr-7`}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

type CheckFieldProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
};

export function CheckField({ label, isOn, onChange }: CheckFieldProps) {
  return (
    <label className="inline-flex min-h-control items-center text-sm has-disabled:text-faint">
      {/* Beside the first line of its words, however many there are. */}
      <span className="flex min-w-0 items-start gap-2">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => onChange(event.target.checked)}
          className="mt-0.5 size-4"
        />
        <span className="min-w-0 wrap-anywhere">{label}</span>
      </span>
    </label>
  );
}
