import { keyed } from './keyed.ts';
import { typeset } from '@attractor/api/shown';

const FLAG = /(?<=\s)(--?[a-zA-Z][\w-]*)/;

/** A text with commands in it: no line ends between the dashes and the name of a flag. */
export function WithFlags({ text }: { readonly text: string }) {
  return keyed(typeset(text).split(FLAG)).map(({ key, item: part }) =>
    part.startsWith('-') ? (
      <span key={key} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
