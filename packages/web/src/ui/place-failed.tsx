import { LoadFailed, type LoadFailedProps } from './notice.tsx';
import { PageHead } from './page-head.tsx';

/** A whole place that could not be loaded still has its name, on the page and in the tab. */
export function PlaceFailed({ title, ...failed }: LoadFailedProps & { readonly title: string }) {
  return (
    <>
      <PageHead title={title} />
      <LoadFailed {...failed} />
    </>
  );
}
