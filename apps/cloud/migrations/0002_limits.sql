CREATE TABLE "pairing_approvals" (
	"pairing_id" uuid PRIMARY KEY NOT NULL,
	"seq" integer NOT NULL,
	"recipient" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
ALTER TABLE "pairing_approvals" ADD CONSTRAINT "pairing_approvals_pairing_id_pairings_id_fk" FOREIGN KEY ("pairing_id") REFERENCES "public"."pairings"("id") ON DELETE cascade ON UPDATE no action;