import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { openCrashPoint } from "../crash-point.ts";
import { type Life, lead } from "./life.test-kit.ts";
import { openHome } from "./supervised-home.test-kit.ts";

// A daemon's inside that leads one life and dies at an ordered point: `<dir> <life> <point> <nth>`. Without a point
// it writes every visited one to `points.log`.
const [dir = "", life = "", name = "", nth = "1"] = process.argv.slice(2);
const kill = openCrashPoint(name === "" ? null : { name, nth: Number(nth) });
const home = await openHome({
  dir,
  crashPoint: (point) => {
    if (name === "") appendFileSync(join(dir, "points.log"), `${point}\n`);
    return kill(point);
  },
});
await lead(home, life as Life);
await home.close();
