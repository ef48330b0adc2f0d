const leaving = new Set<() => void>();

/** Runs `leave` when the process exits in order; one listener for all. The answer takes it back. */
export function atExit(leave: () => void): () => void {
  if (leaving.size === 0) process.once('exit', leaveAll);
  leaving.add(leave);
  return () => {
    leaving.delete(leave);
    if (leaving.size === 0) process.off('exit', leaveAll);
  };
}

function leaveAll(): void {
  for (const leave of leaving) leave();
}
