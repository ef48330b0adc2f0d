import { useLocation } from 'wouter';
import { showControls } from '@attractor/api/shown';
import { useConnection } from '../data/connection.ts';
import { Loading } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';

/** A whole place on its way: it has a heading and a title as every other. */
export function PlaceLoading() {
  const [path] = useLocation();
  return <Waiting title={nameOf(path)} isAway={useConnection() === 'lost'} />;
}

type WaitingProps = { readonly title: string; readonly isAway: boolean };

/** What is waited for, and why it takes so long. */
export function Waiting({ title, isAway }: WaitingProps) {
  return (
    <div className="late">
      <PageHead title={title} />
      <p role="status">{isAway ? 'The server does not answer. This page goes on as soon as it does.' : ''}</p>
      <Loading lines={8} />
    </div>
  );
}

/** What an address can be called before it is known what it leads to. */
function nameOf(path: string): string {
  const last = path.split('/').at(-1) || 'inbox';
  return showControls(last.charAt(0).toUpperCase() + last.slice(1));
}
