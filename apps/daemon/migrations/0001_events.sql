CREATE TABLE `events` (
	`session_id` text NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`at` text NOT NULL,
	`payload` text NOT NULL,
	`run_id` text,
	`hash` blob,
	`key_epoch` integer,
	`was_seq` integer,
	PRIMARY KEY(`session_id`, `seq`),
	CONSTRAINT "events_seq" CHECK("seq" >= 1)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);
