import { openTestDevice, type TestDevice } from "./open-client-device.ts";

/** The devices of one test file, which closes them all at its end. */
export function clientDevices(): { open: typeof openTestDevice; close: () => Promise<void> } {
  const opened: TestDevice[] = [];
  return {
    async open(...args) {
      const made = await openTestDevice(...args);
      opened.push(made);
      return made;
    },
    async close() {
      await Promise.all(opened.map(({ device }) => device.close()));
    },
  };
}
