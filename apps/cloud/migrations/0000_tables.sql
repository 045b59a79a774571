CREATE TABLE "access_tokens" (
	"account_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"device_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "access_tokens_account_id_hash_pk" PRIMARY KEY("account_id","hash")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"vault_id" "bytea",
	"epoch" uuid DEFAULT gen_random_uuid() NOT NULL,
	"head" bigint DEFAULT 0 NOT NULL,
	"purged_to" bigint DEFAULT 0 NOT NULL,
	"sum" bigint DEFAULT 0 NOT NULL,
	"key_epoch" bigint DEFAULT 0 NOT NULL,
	"roster_seq" integer DEFAULT -1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_vault_id_unique" UNIQUE("vault_id")
);
--> statement-breakpoint
CREATE TABLE "challenges" (
	"account_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"device_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "challenges_account_id_hash_pk" PRIMARY KEY("account_id","hash")
);
--> statement-breakpoint
CREATE TABLE "cloud_meta" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"boot_id" uuid,
	"sign" "bytea" NOT NULL,
	"agree" "bytea" NOT NULL,
	"roles" text[] NOT NULL,
	"platform" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	CONSTRAINT "devices_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "envelopes" (
	"account_id" uuid NOT NULL,
	"recipient" uuid NOT NULL,
	"seq" integer NOT NULL,
	"by" uuid NOT NULL,
	"context" "bytea" NOT NULL,
	"enc" "bytea" NOT NULL,
	"ct" "bytea" NOT NULL,
	"sig" "bytea" NOT NULL,
	CONSTRAINT "envelopes_account_id_recipient_seq_pk" PRIMARY KEY("account_id","recipient","seq")
);
--> statement-breakpoint
CREATE TABLE "logs" (
	"account_id" uuid NOT NULL,
	"stream_id" uuid NOT NULL,
	"kind" integer NOT NULL,
	"writer_device" uuid NOT NULL,
	"writer_epoch" bigint NOT NULL,
	"last_seq" bigint NOT NULL,
	"tail_mac" "bytea" NOT NULL,
	"version" bigint NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "logs_account_id_stream_id_pk" PRIMARY KEY("account_id","stream_id")
);
--> statement-breakpoint
CREATE TABLE "pairings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_code_hash" "bytea" NOT NULL,
	"poll_hash" "bytea" NOT NULL,
	"account_id" uuid,
	"platform" text NOT NULL,
	"place" text,
	"commit" "bytea" NOT NULL,
	"offer_by" uuid,
	"msg_o" "bytea",
	"qr_tag" "bytea",
	"enc" "bytea",
	"ct" "bytea",
	"state" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pairings_poll_hash_unique" UNIQUE("poll_hash")
);
--> statement-breakpoint
CREATE TABLE "records" (
	"account_id" uuid NOT NULL,
	"kind" integer NOT NULL,
	"id" uuid NOT NULL,
	"version" bigint NOT NULL,
	"rev" bigint NOT NULL,
	"mac" "bytea" NOT NULL,
	"key_id" bigint NOT NULL,
	"body" "bytea" NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"writer" uuid NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "records_account_id_kind_id_pk" PRIMARY KEY("account_id","kind","id")
);
--> statement-breakpoint
CREATE TABLE "roster" (
	"account_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"body" "bytea" NOT NULL,
	"sigs" jsonb NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "roster_account_id_seq_pk" PRIMARY KEY("account_id","seq")
);
--> statement-breakpoint
CREATE TABLE "segments" (
	"account_id" uuid NOT NULL,
	"stream_id" uuid NOT NULL,
	"from_seq" bigint NOT NULL,
	"to_seq" bigint NOT NULL,
	"prev_mac" "bytea" NOT NULL,
	"mac" "bytea" NOT NULL,
	"key_id" bigint NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "segments_account_id_stream_id_from_seq_pk" PRIMARY KEY("account_id","stream_id","from_seq")
);
--> statement-breakpoint
CREATE TABLE "auth_credentials" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_logins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auth_logins_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "auth_users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auth_users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "auth_verifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "auth_credentials" ADD CONSTRAINT "auth_credentials_user_id_auth_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."auth_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_logins" ADD CONSTRAINT "auth_logins_user_id_auth_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."auth_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_hash" ON "access_tokens" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "access_tokens_end" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "challenges_end" ON "challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "logs_feed" ON "logs" USING btree ("account_id","version");--> statement-breakpoint
CREATE INDEX "pairings_code" ON "pairings" USING btree ("user_code_hash");--> statement-breakpoint
CREATE INDEX "pairings_end" ON "pairings" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "records_feed" ON "records" USING btree ("account_id","version");--> statement-breakpoint
CREATE INDEX "records_tombstones" ON "records" USING btree ("account_id","received_at") WHERE deleted;--> statement-breakpoint
CREATE INDEX "auth_credentials_user" ON "auth_credentials" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_logins_user" ON "auth_logins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_verifications_identifier" ON "auth_verifications" USING btree ("identifier");