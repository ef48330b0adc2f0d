import { defined } from '@attractor/base';
import { Link } from 'wouter';
import { keyed } from './keyed.ts';
import { showControls, typeset } from '@attractor/api/shown';

type WithCodeProps = {
  readonly text: string;
  /** The key of the run on whose own page this stands: its log is there already. */
  readonly onPageOf?: string;
};

/** Our own sentences name commands between backticks, as in a terminal; here they look like what is typed. */
export function WithCode({ text, onPageOf }: WithCodeProps) {
  return keyed(text.split(/(`[^`\n]+`)/)).map(({ key, item: part }) =>
    part.length > 2 && part.startsWith('`') ? (
      <Command key={key} text={part.slice(1, -1)} {...defined({ onPageOf })} />
    ) : (
      typeset(part)
    ),
  );
}

/** What this app shows itself is a link: nobody has to go to a terminal for it. */
function Command({ text, onPageOf }: WithCodeProps) {
  const run = /^attractor runs transcript ([A-Z][A-Z0-9]*-\d+\.\d+)$/.exec(text)?.[1];
  if (run === undefined)
    return <code className="rounded bg-well box-decoration-clone px-1 font-mono">{showControls(text)}</code>;
  if (run === onPageOf) return 'The log below';
  return (
    <Link href={`/runs/${run}`} className="underline underline-offset-2">
      The log of {run}
    </Link>
  );
}
