import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Segments } from '../../ui/segments.tsx';
import { chooseTheme, storedTheme } from '../../ui/theme.tsx';

const THEMES = [
  { name: 'system', label: 'Like the system' },
  { name: 'light', label: 'Light' },
  { name: 'dark', label: 'Dark' },
] as const;

/** Of this browser only. */
export function Appearance() {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <>
      <Panel title="Colours">
        <Segments
          label="Colours"
          choices={THEMES}
          chosen={theme}
          onChoose={(name) => {
            chooseTheme(name);
            setTheme(name);
          }}
        />
      </Panel>
      <BrowserNotifications />
    </>
  );
}

/** The browser itself asks whether it may. */
function BrowserNotifications() {
  const isKnown = 'Notification' in window;
  const [allowed, setAllowed] = useState(isKnown ? Notification.permission : 'denied');
  return (
    <Panel title="Notifications in this browser">
      <p className="text-sm text-soft">
        {allowed === 'granted' ? 'On: you are told when something waits for you and this page is not in front.' : null}
        {allowed === 'denied' ? 'This browser blocks them; allow them in its settings for this page.' : null}
        {allowed === 'default' ? 'Off.' : null}
      </p>
      {allowed === 'default' ? (
        <Button className="mt-2" onClick={() => void Notification.requestPermission().then(setAllowed)}>
          Turn on
        </Button>
      ) : null}
    </Panel>
  );
}
