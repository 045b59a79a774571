import { afterAll, beforeAll } from "vitest";
import { openTestDevice, type TestDevice } from "./open-client-device.ts";
import { type CloudProcess, openCloudProcess } from "./open-cloud-process.ts";

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

/** One cloud and its devices for all tests of a file. Read `cloud` in tests only: it opens before the first of them. */
export function clientStage(): { open: typeof openTestDevice; readonly cloud: CloudProcess } {
  const devices = clientDevices();
  let cloud: CloudProcess | null = null;
  beforeAll(async () => {
    cloud = await openCloudProcess();
  });
  afterAll(async () => {
    await devices.close();
    await cloud?.stop();
  });
  return {
    open: devices.open,
    get cloud() {
      if (cloud === null) throw new Error("the cloud opens before the first test");
      return cloud;
    },
  };
}
