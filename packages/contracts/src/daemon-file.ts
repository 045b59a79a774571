/** `daemon.json`: how a program of the same person reaches the running daemon. */
export interface DaemonFile {
  pid: number;
  port: number;
  /** 256 bits, base64url. Sent as `Authorization: Bearer`. */
  token: string;
  bootId: string;
  homeId: string;
  version: string;
  protocol: number;
  startedAt: string;
}
