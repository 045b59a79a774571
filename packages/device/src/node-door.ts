/** For Node alone: ciphers of its own modules, in the place of WebCrypto. */
export { NODE_PORTS } from "./sealing/node-ports.ts";
