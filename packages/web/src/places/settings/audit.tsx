import type { AuditEntry } from '@attractor/api';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '../../ui/plain-text.ts';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const SHOWN = 20;

const COLUMNS: ReadonlyArray<TableColumn<AuditEntry>> = [
  { name: 'What', show: ({ summary }) => showControls(summary) },
  { name: 'Who', show: ({ person, via }) => showControls(via === null ? person : `${person} (${via})`) },
  { name: 'Kind', show: ({ act }) => <code className="font-mono">{showControls(act)}</code> },
  { name: 'When', show: ({ at }) => <Ago at={at} /> },
];

/** Who did what, the newest first. */
export function Audit() {
  const [limit, setLimit] = useState(SHOWN);
  const entries = useAnswer(['server', 'audit', limit], () => api.audit.list({ limit }));
  if (entries.state !== 'ready') return null;
  return (
    <Panel title="Who did what" flush>
      <Table label="Acts of people and programs" rows={entries.value} keyOf={({ id }) => id} columns={COLUMNS} />
      {entries.value.length < limit ? null : (
        <Button kind="quiet" className="m-2" onClick={() => setLimit(limit * 5)}>
          Show earlier ones
        </Button>
      )}
    </Panel>
  );
}
