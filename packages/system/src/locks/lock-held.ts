/** A living process holds the lock. The message says which, and what to do. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';
  readonly code = 'locked';
}
