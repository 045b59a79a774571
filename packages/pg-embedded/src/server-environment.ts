/** All that the server's programs see of the environment: nothing of the person's own PostgreSQL settings reaches them. */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
  LC_ALL: "C",
  TZ: "UTC",
};
