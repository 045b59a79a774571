import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface RawRequest {
  port: number;
  method?: string;
  /** Sent as it is, without any tidying. */
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** One request with exactly these headers; a Host of the caller's choice included. */
export function rawRequest(options: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { port, path, method = "GET", headers = {}, body } = options;
    const outgoing = request(
      { host: "127.0.0.1", port, path, method, headers, agent: false, setHost: false },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => {
          text += part;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
        answer.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Sends bytes as they are and returns all that comes back until the connection ends. */
export function rawBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (part: string) => {
      text += part;
    });
    socket.on("end", () => resolve(text));
    socket.on("error", reject);
  });
}
