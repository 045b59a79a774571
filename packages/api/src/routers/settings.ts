import { decision, procedure, router } from "../procedure.ts";
import {
  configEntry,
  configList,
  setInput,
  setSettingAnswer,
  settingByKey,
  settingsInRepo,
  unsetInput,
  unsetSettingAnswer,
} from "../schemas/settings.ts";

/** The person's settings: each with where it comes from. */
export const settings = router({
  list: procedure
    .input(settingsInRepo)
    .output(configList)
    .query(({ ctx, input }) => ctx.ports.settings.list(input.repoPath)),
  get: procedure
    .input(settingByKey)
    .output(configEntry.nullable())
    .query(({ ctx, input }) => ctx.ports.settings.get(input.key, input.repoPath)),
  set: decision
    .input(setInput)
    .output(setSettingAnswer)
    .mutation(({ ctx, input }) => ctx.ports.settings.set(input.key, input.value)),
  unset: decision
    .input(unsetInput)
    .output(unsetSettingAnswer)
    .mutation(({ ctx, input }) => ctx.ports.settings.unset(input.key)),
});
