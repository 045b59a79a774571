export interface MockLlm {
  url: string;
  close(): Promise<void>;
}
/** Starts the scripted model on a free loopback port. */
export function startMockLlm(options: {
  script: object;
  vars?: Record<string, string>;
  port?: number;
}): Promise<MockLlm>;
