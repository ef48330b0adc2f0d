import type { Answer, Failure } from '@attractor/api';
import { useState } from 'react';

/** A command under way: buttons are disabled meanwhile, and a refusal is shown beside them. */
export function useCommand() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Failure | null>(null);
  const run = async <Value>(command: () => Promise<Answer<Value>>): Promise<Value | null> => {
    setBusy(true);
    setError(null);
    const answer = await command();
    setBusy(false);
    if (answer.ok) return answer.value;
    setError(answer.error);
    return null;
  };
  const forget = (): void => setError(null);
  return { busy, error, run, forget };
}
