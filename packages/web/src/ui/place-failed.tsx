import type { ComponentProps } from 'react';
import { LoadFailed, whatFailed } from './notice.tsx';
import { PageHead } from './page-head.tsx';

/** A whole place that could not be loaded: it has a heading and a title as every other. */
export function PlaceFailed(props: ComponentProps<typeof LoadFailed>) {
  return (
    <>
      <PageHead title={whatFailed(props.error)} />
      <LoadFailed {...props} isNamed />
    </>
  );
}
