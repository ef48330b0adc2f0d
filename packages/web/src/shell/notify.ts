import type { InboxItem } from '@attractor/api';
import { askedWords, newsName, showControls } from '@attractor/api/shown';

/** Tells of what begins to wait through the browser; whoever clicks it is led there. */
export function notify(item: InboxItem, navigate: (path: string) => void): void {
  const { task } = item;
  const tag = newsName(item);
  const title = `${task.key} ${showControls(task.title)}`;
  const told = new Notification(title, { body: askedWords(item), tag, icon: '/favicon.svg' });
  told.addEventListener('click', () => {
    window.focus();
    navigate(`/?item=${encodeURIComponent(tag)}`);
    told.close();
  });
}
