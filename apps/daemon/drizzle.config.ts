import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: ["./src/database/schema.ts", "./src/database/sync-tables.ts"],
  out: "./migrations",
});
