import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: ["./src/database/schema.ts", "./src/accounts/auth-schema*.ts"],
  out: "./migrations",
});
