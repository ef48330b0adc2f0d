/**
 * Runs as a process of its own, from its text alone, so it may use nothing from outside its body. It starts programs for another process
 * and passes on what they print and how they end. When that process is gone it stays until the programs have ended, as they would have.
 */
export function starterProgram(): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  type Running = ReturnType<typeof spawn>;
  type Order = {
    readonly id: number;
    readonly stdin?: string;
    readonly file?: string;
    readonly args?: ReadonlyArray<string>;
    readonly cwd?: string;
    readonly env?: NodeJS.ProcessEnv;
  };
  const running = new Map<number, Running>();
  let isAlone = false;
  const tell = (message: object): void => void (process.connected && process.send?.(message, () => undefined));
  const forget = (id: number): void => {
    running.delete(id);
    if (isAlone && running.size === 0) process.exit();
  };
  const fail = (id: number, error: unknown): void => {
    const { message, code, errno, syscall, path }: NodeJS.ErrnoException =
      error instanceof Error ? error : new Error(String(error));
    tell({ id, error: { message, code, errno, syscall, path } });
    forget(id);
  };
  const start = (id: number, file: string, { args, cwd, env }: Order): void => {
    try {
      const child = spawn(file, args ?? [], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
      running.set(id, child);
      if (child.pid !== undefined) tell({ id, pid: child.pid });
      child.stdin.on('error', () => undefined);
      child.stdout.on('data', (out: Buffer) => tell({ id, out }));
      child.stderr.on('data', (err: Buffer) => tell({ id, err }));
      child.on('error', (error) => fail(id, error));
      child.on('exit', (code, signal) => tell({ id, exit: [code, signal] }));
      child.on('close', () => {
        tell({ id, closed: true });
        forget(id);
      });
    } catch (error) {
      fail(id, error);
    }
  };
  process.on('message', (order: Order) => {
    if (order.file !== undefined) start(order.id, order.file, order);
    else running.get(order.id)?.stdin?.end(order.stdin);
  });
  process.on('disconnect', () => {
    isAlone = true;
    for (const child of running.values()) child.stdin?.end();
    if (running.size === 0) process.exit();
  });
  tell({ isReady: true });
}
