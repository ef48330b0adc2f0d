import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Empty } from './notice.tsx';
import { PageHead } from './page-head.tsx';
import { typeset } from '@attractor/api/shown';

type BoundaryProps = {
  /** Another place is another try. */
  readonly at: string | null;
  readonly children: ReactNode;
};

type BoundaryState = { readonly broken: string | null; readonly at: string | null };

/** What can not be drawn says so in its own place: everything around it goes on, and what was written is kept. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { broken: null, at: this.props.at };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { broken: error instanceof Error ? error.message : String(error) };
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, known: BoundaryState): BoundaryState | null {
    return at === known.at ? null : { broken: null, at };
  }

  override render(): ReactNode {
    const { broken } = this.state;
    if (broken === null) return this.props.children;
    return (
      <div role="alert">
        <PageHead title="This page can’t be shown" />
        <Empty title={typeset(broken)}>
          <p>Its version may differ from the server’s. What you wrote is kept; everything else works.</p>
          <div className="mt-4 flex justify-center gap-2">
            <Button kind="primary" onClick={() => location.reload()}>
              Reload the page
            </Button>
            <Button onClick={() => this.setState({ broken: null })}>Try again</Button>
          </div>
        </Empty>
      </div>
    );
  }
}
