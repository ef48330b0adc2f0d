import { useState } from 'react';
import { Button, IconButton, type ButtonKind } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CheckField, ChoiceField, TextField } from '../../ui/field.tsx';
import { LineForm } from '../../ui/line-form.tsx';
import { Menu } from '../../ui/menu.tsx';
import { keyed } from '../../ui/keyed.ts';
import { MessageField } from '../../ui/message-field.tsx';
import { Empty, Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { Overlay } from '../../ui/overlay.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Segments } from '../../ui/segments.tsx';
import { CHECK_STATUS, runStatus, stateStatus, StatusBadge, STEP_STATUS, WAITING } from '../../ui/status.tsx';
import { toast } from '../../ui/toast.tsx';
import { ThemeButton } from '../../ui/theme.tsx';
import { Texts } from './texts.tsx';
import { Figures } from './figures.tsx';

const KINDS: ReadonlyArray<ButtonKind> = ['primary', 'plain', 'quiet', 'danger'];
const ERROR = {
  code: 'blocked',
  message: 'A check is still running: wait for it, or stop it.',
  retryable: false,
} as const;

/** Every part in every state; only while the app is developed. */
export function DesignPlace() {
  return (
    <>
      <PageHead title="Design" about="every part in every state" />
      <div className="gap-4 *:mb-4 *:break-inside-avoid lg:columns-2">
        <Buttons />
        <Fields />
        <Shown />
        <Figures />
        <Texts />
      </div>
    </>
  );
}

function Buttons() {
  const [over, setOver] = useState<'overlay' | 'confirm' | null>(null);
  const close = () => setOver(null);
  return (
    <Panel title="Buttons">
      <div className="flex flex-wrap gap-2">
        {KINDS.map((kind) => (
          <Button key={kind} kind={kind}>
            {kind}
          </Button>
        ))}
        {KINDS.map((kind) => (
          <Button key={kind} kind={kind} disabled>
            {kind}, disabled
          </Button>
        ))}
        <Menu
          label="Menu"
          items={[
            { id: 'a', label: 'First', onChoose: () => toast('First') },
            { id: 'b', label: 'Blocked', blocked: 'Because of this.', onChoose: () => undefined },
          ]}
        >
          Menu
        </Menu>
        <IconButton label="An icon">★</IconButton>
        <ThemeButton />
        <Button onClick={() => setOver('overlay')}>Overlay</Button>
        <Button onClick={() => setOver('confirm')}>Confirm</Button>
        <Button onClick={() => toast('Done', { undo: () => undefined })}>Toast</Button>
        <Button onClick={() => toast('It could not be done.', { isBad: true })}>Bad toast</Button>
      </div>
      {over === 'overlay' ? (
        <Overlay title="Overlay" onClose={close}>
          <p className="p-4">Escape closes it.</p>
        </Overlay>
      ) : null}
      {over === 'confirm' ? (
        <Confirm title="Delete it?" act="Delete" busy={false} error={ERROR} onConfirm={close} onClose={close}>
          What can’t be taken back is asked about first.
        </Confirm>
      ) : null}
    </Panel>
  );
}

function Fields() {
  const [text, setText] = useState('Some words');
  const [choice, setChoice] = useState('a');
  const [isOn, setOn] = useState(true);
  return (
    <Panel title="Fields">
      <div className="flex flex-col gap-3">
        <TextField label="Text" hint="A hint" value={text} onChange={setText} />
        <TextField label="Disabled" hint="A number" value="many" onChange={setText} disabled />
        <LineForm
          label="Line"
          act="Add"
          disabled={text === ''}
          value={text}
          onChange={setText}
          onSend={() => toast(text)}
        />
        <MessageField label="Message" value={text} onChange={setText} />
        <ChoiceField label="Choice" value={choice} choices={[{ value: 'a', label: 'One' }]} onChange={setChoice} />
        <CheckField label="Check" isOn={isOn} onChange={setOn} />
        <CheckField label="Check, off" isOn={!isOn} onChange={(off) => setOn(!off)} />
        <Segments label="Segments" choices={SEGMENTS} chosen={choice} onChoose={setChoice} />
      </div>
    </Panel>
  );
}

const SEGMENTS = [
  { name: 'a', label: 'A' },
  { name: 'b', label: 'B' },
];

const STATES = (
  ['open', 'queued', 'working', 'paused', 'by_hand', 'stopped', 'failed', 'accepted', 'merged', 'closed'] as const
).map((kind) =>
  stateStatus({ kind, label: kind, detail: null, since: '', until: null, needsPerson: false, steps: [] }),
);
const BEGUN = {
  step: 'prepare',
  state: 'done',
  startedAt: null,
  finishedAt: null,
  durationMs: null,
  attempts: 1,
} as const;
const RUNS = [
  WAITING,
  ...(['running', 'completed', 'failed', 'cancelled', 'timeout'] as const).map((status) => runStatus(status, [BEGUN])),
];

function Shown() {
  return (
    <>
      <Panel title="Statuses">
        <div className="flex flex-wrap gap-2">
          {keyed([...STATES, ...RUNS, ...Object.values(STEP_STATUS), ...Object.values(CHECK_STATUS)]).map(
            ({ key, item }) => (
              <StatusBadge key={key} status={item} />
            ),
          )}
        </div>
      </Panel>
      <Panel title="Notices">
        <div className="flex flex-col gap-3">
          <Empty title="Nothing here">What to do next.</Empty>
          <LoadFailed error={ERROR} />
          <Refused error={ERROR} />
          <Loading />
        </div>
      </Panel>
    </>
  );
}
