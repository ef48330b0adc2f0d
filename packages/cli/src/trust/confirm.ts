import type { TrustExamination } from '@attractor/settings';
import { CommandFailure, EXIT, confirm } from '@attractor/console';

/** Asks the person at the terminal; without a person the answer is no. */
export async function confirmTrust({ files }: TrustExamination): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CommandFailure(
      'nobody can be asked here: look at `attractor trust show --full`, then grant trust with --yes --hash and the hash that it prints.',
      EXIT.refused,
    );
  const count = files.length === 1 ? 'this file' : `these ${files.length} files`;
  return confirm(`Trust ${count} exactly as shown?`);
}
