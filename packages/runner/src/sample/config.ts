/** The environment for a command of the sample agent: ours, without what would change how a test run prints. */
export function commandEnvironment(): Record<string, string | undefined> {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...rest } = process.env;
  return { ...rest, npm_config_update_notifier: "false", npm_config_fund: "false", NO_COLOR: "1" };
}
