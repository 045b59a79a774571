CREATE TABLE "invitations" (
	"account_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"device_id" uuid NOT NULL,
	"pairing_id" uuid,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invitations_account_id_hash_pk" PRIMARY KEY("account_id","hash")
);
--> statement-breakpoint
CREATE INDEX "invitations_hash" ON "invitations" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "invitations_end" ON "invitations" USING btree ("expires_at");