CREATE TABLE `account` (
	`one` integer PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`last_n` integer NOT NULL,
	CONSTRAINT "account_one" CHECK("account"."one" = 1)
);
--> statement-breakpoint
CREATE TABLE `changes` (
	`session_id` text PRIMARY KEY NOT NULL,
	`tree_id` text NOT NULL,
	`stream_id` text NOT NULL,
	`previous_stream_id` text
);
--> statement-breakpoint
CREATE TABLE `orphans` (
	`stream_id` text NOT NULL,
	`id` text NOT NULL,
	`line` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `orphans_stream` ON `orphans` (`stream_id`);--> statement-breakpoint
CREATE TABLE `replica_events` (
	`stream_id` text NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`mac` text NOT NULL,
	`line` text NOT NULL,
	PRIMARY KEY(`stream_id`, `seq`)
);
--> statement-breakpoint
CREATE TABLE `roster` (
	`position` integer PRIMARY KEY NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sync_logs` (
	`stream_id` text PRIMARY KEY NOT NULL,
	`kind` integer NOT NULL,
	`writer` text NOT NULL,
	`mine` integer NOT NULL,
	`followed` integer NOT NULL,
	`dead` integer NOT NULL,
	`row` text,
	`last_seq` integer NOT NULL,
	`tail_mac` text NOT NULL,
	`pushed_seq` integer NOT NULL,
	`final_seq` integer NOT NULL,
	`waiting` integer NOT NULL,
	`generation` integer NOT NULL,
	`blocked` text,
	`unsettled` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sync_logs_unsettled` ON `sync_logs` (`unsettled`);--> statement-breakpoint
CREATE TABLE `sync_records` (
	`kind` integer NOT NULL,
	`id` text NOT NULL,
	`rev` integer NOT NULL,
	`body` text,
	`deleted` integer NOT NULL,
	`writer` text NOT NULL,
	`mac` text NOT NULL,
	`item` text NOT NULL,
	`base` text,
	`dirty` text NOT NULL,
	`blocked` text,
	`quarantine` text,
	PRIMARY KEY(`kind`, `id`)
);
--> statement-breakpoint
CREATE INDEX `sync_records_dirty` ON `sync_records` (`dirty`);--> statement-breakpoint
CREATE TABLE `sync_state` (
	`one` integer PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	CONSTRAINT "sync_state_one" CHECK("sync_state"."one" = 1)
);
--> statement-breakpoint
CREATE TABLE `waiting_events` (
	`stream_id` text NOT NULL,
	`n` integer NOT NULL,
	`id` text NOT NULL,
	`line` text NOT NULL,
	PRIMARY KEY(`stream_id`, `n`)
);
--> statement-breakpoint
CREATE INDEX `sessions_dirty` ON `sessions` (`dirty`);--> statement-breakpoint
CREATE INDEX `tasks_dirty` ON `tasks` (`dirty`);
--> statement-breakpoint
ALTER TABLE `events` ADD `line` text;
