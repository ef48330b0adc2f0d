import { showControls } from '@attractor/api/shown';
import { Link, useLocation } from 'wouter';
import { buttonClass } from '../../ui/button.tsx';
import { PageHead } from '../../ui/page-head.tsx';

/** For an address that no place has. */
export function Nowhere() {
  const [path] = useLocation();
  return (
    <>
      <PageHead title="There is no such page" />
      <p className="mb-4 text-sm wrap-anywhere text-soft">
        <code className="font-mono">{showControls(path)}</code> leads nowhere. It may have been copied in part.
      </p>
      <Link href="/" className={buttonClass('primary')}>
        Go to the inbox
      </Link>
    </>
  );
}
