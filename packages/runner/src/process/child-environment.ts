/**
 * What an agent gets of our environment. Not in the list, and why: SSH_AUTH_SOCK (whatever the agent runs could sign in
 * to other machines as the person), AWS_*, GOOGLE_*, GITHUB_TOKEN and other keys of services, DISPLAY and
 * DBUS_SESSION_BUS_ADDRESS (the person's desktop), GIT_* (would point the agent's git elsewhere), NODE_OPTIONS and
 * LD_* (load code), CLAUDECODE and the other CLAUDE_CODE_* (the agent would think that it runs inside another one).
 * Who needs one of them names it in the agent's settings.
 */
const PASSED: readonly string[] = [
  // Who the person is and where things lie; agents keep their sign-in below HOME.
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR"],
  // The way to the network.
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"],
  // The agents' own: place of their settings, and the sign-in of machines without a browser.
  ...["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "CODEX_HOME", "CODEX_API_KEY"],
  // Switches and bounds that a person sets and that open nothing.
  ...["DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "DISABLE_ERROR_REPORTING", "DO_NOT_TRACK", "NO_COLOR"],
  ...["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "CLAUDE_CODE_MAX_RETRIES", "CLAUDE_CODE_MAX_OUTPUT_TOKENS"],
  ...["API_TIMEOUT_MS", "MAX_THINKING_TOKENS", "BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS"],
  // Where toolchains lie: without them the repository's own tests do not run.
  ...["JAVA_HOME", "ANDROID_HOME", "GOPATH", "GOROOT", "CARGO_HOME", "RUSTUP_HOME", "DOTNET_ROOT", "GRADLE_USER_HOME"],
  ...["NVM_DIR", "PNPM_HOME", "VOLTA_HOME", "BUN_INSTALL", "DENO_DIR", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT"],
  ...["RBENV_ROOT", "GEM_HOME", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "HOMEBREW_PREFIX"],
];
const PASSED_BEGINNINGS: readonly string[] = ["LC_", "XDG_", "ANTHROPIC_", "OPENAI_"];

/**
 * The whole environment of an agent: the white list out of `source`, names the person added (`passNames`), what the
 * agent's call adds (`extra`), and the two ids by which its processes are found. Names of our own never pass.
 */
export function childEnvironment(o: {
  source: Readonly<Record<string, string | undefined>>;
  sessionId: string;
  runId: string;
  extra?: Record<string, string>;
  passNames?: readonly string[];
}): Record<string, string> {
  const names = new Set([...PASSED, ...(o.passNames ?? [])]);
  const isPassed = (name: string): boolean =>
    names.has(name) || PASSED_BEGINNINGS.some((beginning) => name.startsWith(beginning));
  const isOurs = (name: string): boolean => name.startsWith("CODEHANDS_");
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(o.source)) {
    if (value !== undefined && isPassed(name) && !isOurs(name)) env[name] = value;
  }
  // No terminal is attached: no colours, no cursor movements in the output of commands.
  env["TERM"] = "dumb";
  for (const [name, value] of Object.entries(o.extra ?? {})) if (!isOurs(name)) env[name] = value;
  return { ...env, CODEHANDS_SESSION_ID: o.sessionId, CODEHANDS_RUN_ID: o.runId };
}
