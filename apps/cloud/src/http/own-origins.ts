import type { NetworkInterfaceInfo } from "node:os";

export interface OriginFacts {
  host: string;
  port: number;
  tls: boolean;
  /** This machine's name. */
  hostname: string;
  /** `os.networkInterfaces()`. */
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const EVERYWHERE = new Set(["0.0.0.0", "::"]);

/** Under which origins a server can be dialled when nobody told it: loopback, and its own addresses where it listens there. */
export function ownOrigins({ host, port, tls, hostname, interfaces }: OriginFacts): string[] {
  const bracketed = host.includes(":") ? `[${host}]` : host;
  const hosts = EVERYWHERE.has(host)
    ? [
        ...LOOPBACK,
        hostname,
        ...Object.values(interfaces).flatMap((cards) =>
          (cards ?? [])
            .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"))
            .map(({ address }) => (address.includes(":") ? `[${address}]` : address)),
        ),
      ]
    : isLoopback(host)
      ? [bracketed, ...LOOPBACK.filter((each) => each !== bracketed)]
      : [bracketed];
  const origins = hosts.map((each) => `${tls ? "https" : "http"}://${each}:${port}`);
  // The port that a scheme has anyway is left out by whoever dials.
  return [...new Set(origins.filter((origin) => URL.canParse(origin)).map((origin) => new URL(origin).origin))];
}

/** True for what only this machine can dial. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
