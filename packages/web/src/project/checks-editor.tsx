import type { ConfigExamination } from '@attractor/api';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { keepDraft } from '../data/draft.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { type CheckRow, checksText, problemsOf, rowsOf } from '@attractor/api/shown';

type ChecksEditorProps = { readonly projectId: string; readonly checks: ConfigExamination['checks'] };

/**
 * Checks are a file of the repository, which only its own commits change: what is written here becomes a task, or is copied to where
 * somebody works.
 */
export function ChecksEditor({ projectId, checks }: ChecksEditorProps) {
  const [rows, setRows] = useState<ReadonlyArray<CheckRow> | null>(null);
  const [, navigate] = useLocation();
  if (rows === null)
    return (
      <div>
        <Button onClick={() => setRows(rowsOf(checks))}>{checks.length === 0 ? 'Write checks' : 'Change them'}</Button>
      </div>
    );
  const problems = problemsOf(rows);
  // Nobody has written anything yet that could be wrong.
  const isBegun = rows.length > 1 || rows.some(({ command }) => command !== '');
  const text = checksText(rows);
  const makeTask = () => {
    const description = `Let \`.attractor/config.json\` of this repository have exactly these checks, and leave its other settings as they are:\n\n\`\`\`json\n${text}\n\`\`\`\n`;
    keepDraft('new-task', JSON.stringify({ projectId, title: 'Configure the checks of this project', description }));
    navigate('/new');
  };
  const change = (id: number, edit: Partial<CheckRow>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...edit } : row)));
  return (
    <div className="flex flex-col gap-3">
      <Rows rows={rows} onChange={change} onRemove={(id) => setRows(rows.filter((row) => row.id !== id))} />
      <div>
        <Button
          kind="quiet"
          className="-ml-3"
          onClick={() => setRows([...rows, { id: nextId(rows), name: '', command: '' }])}
        >
          <Plus size={14} aria-hidden /> One more
        </Button>
      </div>
      {(isBegun ? problems : []).map((problem) => (
        <p key={problem} role="alert" className="text-bad">
          {problem}
        </p>
      ))}
      <pre aria-label="The file" className="overflow-auto rounded-md border border-line bg-well px-3 py-2 font-mono">
        {text}
      </pre>
      <div className="flex flex-wrap gap-2">
        <Button disabled={problems.length > 0} onClick={makeTask}>
          Make a task of it
        </Button>
        <Button kind="quiet" onClick={() => void navigator.clipboard.writeText(text)}>
          Copy for .attractor/config.json
        </Button>
        <Button kind="quiet" onClick={() => setRows(null)}>
          Leave them as they are
        </Button>
      </div>
    </div>
  );
}

function nextId(rows: ReadonlyArray<CheckRow>): number {
  return Math.max(0, ...rows.map(({ id }) => id)) + 1;
}

type RowsProps = {
  readonly rows: ReadonlyArray<CheckRow>;
  readonly onChange: (id: number, edit: Partial<CheckRow>) => void;
  readonly onRemove: (id: number) => void;
};

function Rows({ rows, onChange, onRemove }: RowsProps) {
  return rows.map((row, at) => (
    <div key={row.id} className="grid grid-cols-[minmax(0,1fr)_32px] items-end gap-3 sm:grid-cols-[1fr_3fr_32px]">
      <TextField label={`Name of check ${at + 1}`} value={row.name} onChange={(name) => onChange(row.id, { name })} />
      <div className="order-last col-span-full sm:order-none sm:col-span-1">
        <TextField
          label={`Command of check ${at + 1}`}
          value={row.command}
          placeholder="npm test"
          className="font-mono"
          spellCheck={false}
          onChange={(command) => onChange(row.id, { command })}
        />
      </div>
      <IconButton label={`Remove check ${at + 1}`} onClick={() => onRemove(row.id)}>
        <X size={15} aria-hidden />
      </IconButton>
    </div>
  ));
}
