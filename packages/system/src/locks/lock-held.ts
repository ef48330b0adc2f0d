/** Somebody who lives holds the lock. The message says who, and what to do. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';
  readonly code = 'locked';
}
