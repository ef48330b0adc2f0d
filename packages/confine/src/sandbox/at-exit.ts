const leaving = new Set<() => void>();

/** Runs `leave` when the process exits normally; one listener for all. The returned function cancels it. */
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
