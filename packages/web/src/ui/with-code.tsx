import { keyed } from './keyed.ts';
import { showControls } from './plain-text.ts';

/** Our own sentences name commands between backticks, as in a terminal; here they look like what is typed. */
export function WithCode({ text }: { readonly text: string }) {
  return keyed(text.split(/(`[^`\n]+`)/)).map(({ key, item: part }) =>
    part.length > 2 && part.startsWith('`') ? (
      <code key={key} className="rounded bg-well px-1 font-mono">
        {showControls(part.slice(1, -1))}
      </code>
    ) : (
      showControls(part)
    ),
  );
}
