import { useEffect, useState, type FormEvent } from 'react';
import { signIn, signInWays, type SignedIn } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';

type SignInProps = { readonly message: string | null; readonly onSignedIn: (session: SignedIn) => void };

export function SignIn({ message, onSignedIn }: SignInProps) {
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(message);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const session = await signIn(key.trim());
    setBusy(false);
    if (session.ok) onSignedIn(session);
    else setProblem(session.message);
  };
  return (
    <main className="mx-auto flex min-h-dvh max-w-[26rem] flex-col justify-center px-5 pb-24">
      <img src="/favicon.svg" alt="" width={36} height={36} />
      <h1 className="mt-4 text-xl font-semibold tracking-tight">Sign in to Attractor</h1>
      <p className="mt-2 text-soft">
        An address signs this browser in, once: <code className="font-mono text-sm">attractor serve</code> prints one in
        its terminal, <code className="font-mono text-sm">attractor sign-in</code> prints another, and an admin can send
        you yours. Or paste the access token here.
      </p>
      <OtherWay />
      <form className="mt-5 flex flex-col gap-2" onSubmit={(event) => void submit(event)}>
        <label htmlFor="token" className="font-medium">
          Access token
        </label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          value={key}
          onChange={(event) => setKey(event.target.value)}
          aria-describedby="problem"
          className="h-control rounded-md border border-edge bg-panel px-2.5 font-mono"
        />
        <p id="problem" role="alert" className="text-sm text-bad empty:-mt-2">
          {problem}
        </p>
        <Button kind="primary" type="submit" className="mt-1" isBusy={busy} disabled={key.trim() === ''}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

/** The way through the issuer that the server knows, if it knows one. */
function OtherWay() {
  const [issuer, setIssuer] = useState<string | null>(null);
  useEffect(() => {
    void signInWays().then(setIssuer);
  }, []);
  if (issuer === null) return null;
  return (
    <a
      href="/api/oidc/sign-in"
      className="mt-5 rounded-md border border-edge bg-panel px-3 py-2 text-center font-medium hover:underline"
    >
      Sign in with {issuer}
    </a>
  );
}
