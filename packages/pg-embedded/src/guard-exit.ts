import { sendSignal } from "./stop-server.ts";

const SIGNALS: readonly NodeJS.Signals[] = ["SIGTERM", "SIGINT", "SIGHUP"];

/**
 * Stops the server when this process ends without having stopped it, by exit or by a signal that nobody else handles.
 * A program with signal handlers of its own ends in its own order. Returns what takes the guard away.
 */
export function guardExit(pid: number): () => void {
  const stop = () => void sendSignal(pid, "SIGINT");
  const onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return;
    stop();
    release();
    process.kill(process.pid, signal);
  };
  const release = () => {
    process.off("exit", stop);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  process.on("exit", stop);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return release;
}
