import { randomUUID } from "node:crypto";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { Log } from "../logs/open-log.ts";
import { authCredentials, authLogins, authUsers, authVerifications } from "./auth-schema.ts";
import { hashPassword, verifyPassword } from "./hash-password.ts";

const DAY = 24 * 60 * 60;
/** A login that is not used ends after this; each use puts it off. */
const IDLE_DAYS = 30;

/** Carries the client's address, found out by ourselves, to better-auth. What came with this name is dropped. */
export const ADDRESS_HEADER = "x-codehands-address";

export interface AuthOptions {
  /** On a client of its own: drizzle changes how a client reads and writes dates. */
  db: PostgresJsDatabase;
  /** The first one is where cookies and links belong. */
  origins: readonly string[];
  secret: string;
  signUp: "open" | "closed";
  log: Log;
}

/** The name of the login cookie. With https only this host can set and read it. */
export function loginCookie(origin: string): string {
  return origin.startsWith("https:") ? "__Host-codehands.login" : "codehands.login";
}

/** better-auth with e-mail and password and nothing else. Limits stand before it, see `answer-auth.ts`. */
export function openAuth(options: AuthOptions) {
  const origin = options.origins[0] ?? "";
  const secure = origin.startsWith("https:");
  return betterAuth({
    appName: "Code Hands",
    baseURL: origin,
    basePath: "/auth",
    secret: options.secret,
    trustedOrigins: [...options.origins],
    database: drizzleAdapter(options.db, {
      provider: "pg",
      schema: { user: authUsers, session: authLogins, account: authCredentials, verification: authVerifications },
      transaction: true,
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: options.signUp === "closed",
      // A sign-up answers the same whether the address was free or not, so it cannot log in as well.
      autoSignIn: false,
      minPasswordLength: 8,
      maxPasswordLength: 256,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    session: { expiresIn: IDLE_DAYS * DAY, updateAge: DAY, cookieCache: { enabled: false } },
    // Rows shared by all servers count instead, and they count accounts as well.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      useSecureCookies: false,
      defaultCookieAttributes: { secure, sameSite: "strict", httpOnly: true, path: "/" },
      cookiePrefix: secure ? "__Host-codehands" : "codehands",
      cookies: { session_token: { name: loginCookie(origin) } },
      database: { generateId: () => randomUUID() },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    logger: {
      level: "error",
      log: (level, message) => options.log[level === "warn" ? "warn" : "error"]({ from: "logins" }, message),
    },
  });
}

export type Auth = ReturnType<typeof openAuth>;
