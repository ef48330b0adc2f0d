import { ChevronDown, Star, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button, buttonClass, type ButtonKind, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showControls } from '@attractor/api/shown';
import { Segments } from '../../../ui/segments.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { ThemeButton } from '../../../ui/theme.tsx';
import { toast } from '../../../ui/toast.tsx';
import { acted, HOSTILE, LONG, NO_ERROR, NO_WORDS, none, NOTHING, type Part, STILL } from './example.tsx';

const KINDS: ReadonlyArray<ButtonKind> = ['primary', 'plain', 'quiet', 'danger'];

function Row({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2">{children}</div>;
}

function Kinds(props: { readonly disabled?: boolean; readonly isBusy?: boolean }) {
  return (
    <Row>
      {KINDS.map((kind) => (
        <Button key={kind} kind={kind} {...props}>
          {kind === 'danger' ? <Trash2 size={13} aria-hidden /> : null}
          {kind}
        </Button>
      ))}
      <a href="#link" className={buttonClass('plain')}>
        a link
      </a>
    </Row>
  );
}

function Icons(props: { readonly disabled?: boolean }) {
  return (
    <Row>
      {KINDS.map((kind) => (
        <IconButton key={kind} kind={kind} label={`A star, ${kind}`} {...props}>
          <Star size={15} aria-hidden />
        </IconButton>
      ))}
    </Row>
  );
}

const ENTRIES = [
  { id: 'a', label: 'First', onChoose: () => toast('First') },
  { id: 'b', label: 'With a hint', hint: 'What it does', onChoose: NOTHING },
  { id: 'c', label: 'Chosen', isChosen: true, onChoose: NOTHING },
  { id: 'd', label: 'Blocked', blocked: 'A check is still running.', onChoose: NOTHING },
];

function Menus({ words }: { readonly words?: string }) {
  const items = words === undefined ? ENTRIES : [{ id: 'a', label: words, hint: words, onChoose: NOTHING }];
  return (
    <Row>
      <Menu label="Menu" items={items}>
        Menu <ChevronDown size={13} aria-hidden />
      </Menu>
      <Menu label="Menu of an icon" items={items} isIcon kind="quiet">
        <Star size={15} aria-hidden />
      </Menu>
      <Menu label="Small menu" items={items} isIcon isSmall kind="quiet">
        <Star size={13} aria-hidden />
      </Menu>
    </Row>
  );
}

const PLACES = ['Board', 'Pipeline rows', 'List'];

function Choices({ names = PLACES }: { readonly names?: ReadonlyArray<string> }) {
  const [chosen, choose] = useState(names[0] ?? '');
  const choices = names.map((name) => ({ name, label: name }));
  return <Segments label="View" choices={choices} chosen={chosen} onChoose={choose} />;
}

function Bodies({ names = PLACES, children = 'What the chosen name stands for.' }: BodiesProps) {
  const [chosen, choose] = useState(names[0] ?? '');
  const tabs = names.map((name, at) => ({ name, label: name, count: at * 4 }));
  return (
    <Tabs label="Parts" tabs={tabs} chosen={chosen} onChoose={choose}>
      <p className="pt-3 text-sm text-soft">{children}</p>
    </Tabs>
  );
}

type BodiesProps = { readonly names?: ReadonlyArray<string>; readonly children?: ReactNode };

const UNHEARD = none('What can not be chosen is not offered.');
const AT_ONCE = none('It is done at once.');

/** What is pressed, and what stands around it. */
export const CONTROLS: ReadonlyArray<Part> = [
  {
    of: 'Button',
    from: 'ui/button.tsx',
    states: {
      ...acted(<Kinds />),
      ...NO_ERROR,
      disabled: <Kinds disabled />,
      busy: <Kinds isBusy />,
      empty: none('A button without words is an IconButton.'),
      long: <Button isLong>{LONG}</Button>,
      hostile: <Button isLong>{showControls(HOSTILE)}</Button>,
    },
  },
  {
    of: 'IconButton',
    from: 'ui/button.tsx',
    states: {
      ...acted(<Icons />),
      ...NO_ERROR,
      ...NO_WORDS,
      disabled: <Icons disabled />,
      busy: AT_ONCE,
      empty: none('It always has its icon.'),
    },
  },
  {
    of: 'ThemeButton',
    from: 'ui/theme.tsx',
    states: {
      ...acted(<ThemeButton />),
      ...NO_ERROR,
      ...NO_WORDS,
      disabled: UNHEARD,
      busy: AT_ONCE,
      empty: none('It always has its icon.'),
    },
  },
  {
    of: 'Menu',
    from: 'ui/menu.tsx',
    states: {
      ...acted(<Menus />),
      ...NO_ERROR,
      disabled: none('An entry is blocked, with its reason; see Blocked in it.'),
      busy: AT_ONCE,
      empty: none('A menu without entries is not offered.'),
      long: <Menus words={LONG} />,
      hostile: <Menus words={showControls(HOSTILE)} />,
    },
  },
  {
    of: 'Segments',
    from: 'ui/segments.tsx',
    states: {
      ...acted(<Choices />),
      ...NO_ERROR,
      disabled: UNHEARD,
      busy: AT_ONCE,
      empty: none('There are always two.'),
      long: <Choices names={['By when they began', 'By what they cost', 'By who waits for them']} />,
      hostile: none('Its words are our own.'),
    },
  },
  {
    of: 'ShownOnce',
    from: 'ui/shown-once.tsx',
    states: {
      ...acted(<ShownOnce label="The new key" text="atk_7f3c1d" />),
      ...NO_ERROR,
      disabled: UNHEARD,
      busy: AT_ONCE,
      empty: none('It comes with its secret.'),
      long: <ShownOnce label="The new key" text={LONG} />,
      hostile: none('Secrets are made by the server.'),
    },
  },
  {
    of: 'Tabs',
    from: 'ui/tabs.tsx',
    states: {
      ...acted(<Bodies />),
      ...NO_ERROR,
      disabled: UNHEARD,
      busy: AT_ONCE,
      empty: none('What a tab holds says itself that it is empty.'),
      long: <Bodies names={['Conversation', 'Plan', 'Changes', 'Branch', 'Checks', 'Artifacts', 'History']} />,
      hostile: none('Its words are our own.'),
    },
  },
  {
    of: 'PageHead',
    from: 'ui/page-head.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: (
        <PageHead title="Board" about="12 tasks">
          <Button>Save the view</Button>
        </PageHead>
      ),
      empty: <PageHead title="Board" />,
      long: <PageHead title={LONG} about={LONG} />,
      hostile: <PageHead title={showControls(HOSTILE)} />,
    },
  },
  {
    of: 'Panel',
    from: 'ui/panel.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: (
        <Panel title="Budgets" side={<span className="text-sm text-soft">2 set</span>}>
          What stands together.
        </Panel>
      ),
      empty: (
        <Panel title="Budgets" flush>
          {null}
        </Panel>
      ),
      long: (
        <Panel title={LONG} side={<span className="text-sm text-soft">2 set</span>}>
          {LONG}
        </Panel>
      ),
      hostile: <Panel title={showControls(HOSTILE)}>{showControls(HOSTILE)}</Panel>,
    },
  },
];
