import { type ToolInfo, toolLabel, type ToolPiece } from '@attractor/api';
import { ChevronRight } from 'lucide-react';
import { use, useState } from 'react';
import { outcomeWords, showControls, showDuration, showOutput } from '@attractor/api/shown';
import { Button } from '../ui/button.tsx';
import { StatusIcon, STEP_STATUS } from '../ui/status.tsx';
import { Elapsed } from '../ui/time.tsx';
import { Tools } from './tools.ts';

type ToolCallProps = { readonly tool: ToolPiece; readonly liveOutput: string };

/** One line that says what was done; input and output on demand. Open while it runs and prints something. */
export function ToolCall({ tool, liveOutput }: ToolCallProps) {
  const [opened, setOpened] = useState<boolean | null>(null);
  const { hint, subject } = labelOf(tool, use(Tools));
  const open = opened ?? (tool.result === null && liveOutput !== '');
  return (
    <div className="overflow-clip rounded-md border border-line bg-panel">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpened(!open)}
        className="flex min-h-control w-full items-center gap-2 px-2.5 text-left text-sm -outline-offset-2 hover:bg-well active:bg-line"
      >
        <ChevronRight size={13} aria-hidden className={`shrink-0 text-faint ${open ? 'rotate-90' : ''}`} />
        <StatusIcon status={statusOf(tool)} isAlone />
        <span className="max-w-[60%] shrink-0 truncate font-medium" title={hint ?? undefined}>
          {showControls(tool.toolName)}
        </span>
        <code
          title={showControls(subject)}
          className="min-w-0 flex-1 overflow-clip font-mono text-sm text-ellipsis whitespace-nowrap text-soft"
        >
          {showControls(subject)}
        </code>
        <Took tool={tool} />
      </button>
      {open ? <Body tool={tool} liveOutput={liveOutput} /> : null}
    </div>
  );
}

/** What an agent reports is told as everywhere; the call itself has its own name for it. */
function labelOf(tool: ToolPiece, tools: ReadonlyArray<ToolInfo>) {
  const { outcome } = tool.input;
  const label = toolLabel(tool, tools);
  return typeof outcome === 'string' && tool.toolName.includes('outcome')
    ? { ...label, subject: outcomeWords(outcome) }
    : label;
}

function statusOf({ result }: ToolPiece) {
  if (result === null) return STEP_STATUS.running;
  return result.isError ? STEP_STATUS.failed : STEP_STATUS.done;
}

function Took({ tool }: { readonly tool: ToolPiece }) {
  const ms = tool.result === null ? 0 : Date.parse(tool.result.at) - Date.parse(tool.startedAt);
  return (
    <span className="shrink-0 text-sm text-faint tabular-nums">
      {tool.result === null ? <Elapsed since={tool.startedAt} until={null} /> : ms > 0 ? showDuration(ms) : null}
    </span>
  );
}

function Body({ tool, liveOutput }: ToolCallProps) {
  const output = tool.result?.output ?? liveOutput;
  return (
    <div className="border-t border-line bg-well">
      <dl className="flex flex-col gap-2 px-3 py-2">
        {Object.entries(tool.input).map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-faint">{showControls(name)}</dt>
            <dd className="max-h-72 overflow-auto font-mono text-sm break-words whitespace-pre-wrap">
              {showControls(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}
            </dd>
          </div>
        ))}
      </dl>
      {output === '' && tool.result === null ? null : <Output text={output} failed={tool.result?.isError === true} />}
    </div>
  );
}

const SHOWN_AT_FIRST = 4000;

export function Output({ text, failed }: { readonly text: string; readonly failed: boolean }) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? text : text.slice(0, SHOWN_AT_FIRST);
  return (
    <div className="border-t border-line px-3 py-2">
      <p className={`text-sm ${failed ? 'text-bad' : 'text-faint'}`}>{failed ? 'error' : 'output'}</p>
      <pre className="max-h-96 overflow-auto font-mono text-sm whitespace-pre-wrap">
        {text === '' ? <span className="text-faint">(empty)</span> : showOutput(shown)}
      </pre>
      {shown.length < text.length ? (
        <Button kind="quiet" className="mt-1" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
        </Button>
      ) : null}
    </div>
  );
}
