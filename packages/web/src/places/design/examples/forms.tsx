import { useState } from 'react';
import { CheckField, ChoiceField, TextField } from '../../../ui/field.tsx';
import { LineForm } from '../../../ui/line-form.tsx';
import { MessageField } from '../../../ui/message-field.tsx';
import { Refused } from '../../../ui/notice.tsx';
import { showControls } from '@attractor/api/shown';
import { toast } from '../../../ui/toast.tsx';
import { acted, FAILURE, HOSTILE, LONG, none, type Part } from './example.tsx';

type TextProps = { readonly begin?: string; readonly problem?: string; readonly disabled?: boolean };

function Text({ begin = 'Some words', ...rest }: TextProps) {
  const [text, setText] = useState(begin);
  return (
    <TextField label="Name" hint="As it is shown" placeholder="A name" value={text} onChange={setText} {...rest} />
  );
}

function Line({ begin = 'Some words', disabled = false, isBusy = false }: LineProps) {
  const [text, setText] = useState(begin);
  return (
    <LineForm
      label="Label"
      act="Add"
      disabled={disabled || text === ''}
      isBusy={isBusy}
      value={text}
      onChange={setText}
      onSend={() => toast(text)}
    />
  );
}

type LineProps = { readonly begin?: string; readonly disabled?: boolean; readonly isBusy?: boolean };

function Message({ begin = 'Some words', isMono = false }: { readonly begin?: string; readonly isMono?: boolean }) {
  const [text, setText] = useState(begin);
  return <MessageField label="Message" placeholder="Why not?" value={text} isMono={isMono} onChange={setText} />;
}

const NAMES = ['One', 'Two'];

function Choose({ names = NAMES }: { readonly names?: ReadonlyArray<string> }) {
  const [choice, setChoice] = useState(names[0] ?? '');
  return (
    <ChoiceField
      label="Agent"
      value={choice}
      choices={names.map((name) => ({ value: name, label: name }))}
      onChange={setChoice}
    />
  );
}

function Check({ words = 'Start it now' }: { readonly words?: string }) {
  const [isOn, setOn] = useState(true);
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-2">
      <CheckField label={words} isOn={isOn} onChange={setOn} />
      <CheckField label={words} isOn={!isOn} onChange={(off) => setOn(!off)} />
    </div>
  );
}

const AT_THE_BUTTON = none('The button beside it is busy, and what was written can still be changed.');
const BY_FIELDSET = (part: React.ReactNode) => <fieldset disabled>{part}</fieldset>;
const REFUSED = (part: React.ReactNode) => (
  <div className="flex flex-col gap-2">
    {part}
    <Refused error={FAILURE} />
  </div>
);

/** Where something is written or chosen. */
export const FORMS: ReadonlyArray<Part> = [
  {
    of: 'TextField',
    from: 'ui/field.tsx',
    states: {
      ...acted(<Text />),
      disabled: <Text disabled />,
      busy: AT_THE_BUTTON,
      error: <Text begin="many" problem="A whole number, such as 2" />,
      empty: <Text begin="" />,
      long: <Text begin={LONG} />,
      hostile: <Text begin={showControls(HOSTILE)} />,
    },
  },
  {
    of: 'LineForm',
    from: 'ui/line-form.tsx',
    states: {
      ...acted(<Line />),
      disabled: <Line disabled />,
      busy: <Line isBusy />,
      error: REFUSED(<Line />),
      empty: <Line begin="" />,
      long: <Line begin={LONG} />,
      hostile: <Line begin={showControls(HOSTILE)} />,
    },
  },
  {
    of: 'MessageField',
    from: 'ui/message-field.tsx',
    states: {
      ...acted(<Message />),
      disabled: BY_FIELDSET(<Message />),
      busy: AT_THE_BUTTON,
      error: REFUSED(<Message />),
      empty: <Message begin="" />,
      long: <Message begin={LONG} />,
      hostile: <Message begin={showControls(HOSTILE)} isMono />,
    },
  },
  {
    of: 'ChoiceField',
    from: 'ui/field.tsx',
    states: {
      ...acted(<Choose />),
      disabled: BY_FIELDSET(<Choose />),
      busy: AT_THE_BUTTON,
      error: REFUSED(<Choose />),
      empty: <Choose names={[]} />,
      long: <Choose names={[LONG]} />,
      hostile: <Choose names={[showControls(HOSTILE)]} />,
    },
  },
  {
    of: 'CheckField',
    from: 'ui/field.tsx',
    states: {
      ...acted(<Check />),
      disabled: BY_FIELDSET(<Check />),
      busy: none('It is turned at once.'),
      error: REFUSED(<Check />),
      empty: none('It always has its words.'),
      long: <Check words={LONG} />,
      hostile: <Check words={showControls(HOSTILE)} />,
    },
  },
];
