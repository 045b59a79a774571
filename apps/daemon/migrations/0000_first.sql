CREATE TABLE `clones` (
	`repo_key` text NOT NULL,
	`path` text NOT NULL,
	`common_dir` text NOT NULL,
	`root_commit` text,
	`object_format` text NOT NULL,
	`seen_at` text NOT NULL,
	PRIMARY KEY(`repo_key`, `path`),
	FOREIGN KEY (`repo_key`) REFERENCES `repos`(`repo_key`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "clones_object_format" CHECK("clones"."object_format" in ('sha1', 'sha256'))
);
--> statement-breakpoint
CREATE TABLE `commands` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text,
	`target_device` text NOT NULL,
	`sender_device` text NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`expects` text NOT NULL,
	`incarnation` text,
	`at` text NOT NULL,
	`received_at` text NOT NULL,
	`state` text NOT NULL,
	`boot` text NOT NULL,
	`code` text,
	`reason` text,
	`result` text,
	`rev` integer DEFAULT 1 NOT NULL,
	`dirty` text DEFAULT 'edit' NOT NULL,
	CONSTRAINT "commands_state_known" CHECK("commands"."state" in ('claimed', 'done', 'refused', 'expired', 'in_doubt'))
);
--> statement-breakpoint
CREATE INDEX `commands_state` ON `commands` (`state`);--> statement-breakpoint
CREATE INDEX `commands_session` ON `commands` (`session_id`,`kind`);--> statement-breakpoint
CREATE TABLE `event_raw` (
	`session_id` text NOT NULL,
	`seq` integer NOT NULL,
	`raw` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`session_id`, `seq`)
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `preferences` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`body` text NOT NULL,
	`rev` integer DEFAULT 1 NOT NULL,
	`dirty` text DEFAULT 'edit' NOT NULL,
	PRIMARY KEY(`scope`, `key`)
);
--> statement-breakpoint
CREATE TABLE `provider_status` (
	`device_id` text NOT NULL,
	`agent` text NOT NULL,
	`state` text NOT NULL,
	`retry_at` text,
	`detail` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`device_id`, `agent`)
);
--> statement-breakpoint
CREATE TABLE `repos` (
	`repo_key` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`remote` text,
	`match_key` text NOT NULL,
	`default_branch` text,
	`trusted_hash` text,
	`created_at` text NOT NULL,
	`last_used_at` text NOT NULL,
	`rev` integer DEFAULT 1 NOT NULL,
	`dirty` text DEFAULT 'edit' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`ordinal` integer NOT NULL,
	`phase` text NOT NULL,
	`kind` text NOT NULL,
	`model` text,
	`prompt` text,
	`state` text NOT NULL,
	`pid` integer,
	`pgid` integer,
	`start_ticks` text,
	`boot_id` text,
	`byte_offset` integer DEFAULT 0 NOT NULL,
	`err_offset` integer DEFAULT 0 NOT NULL,
	`exit_code` integer,
	`signal` text,
	`cost_usd` real,
	`started_at` text NOT NULL,
	`ended_at` text,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "runs_phase" CHECK("runs"."phase" in ('plan', 'execute', 'single')),
	CONSTRAINT "runs_state_known" CHECK("runs"."state" in ('spawning', 'live', 'ended')),
	CONSTRAINT "runs_offsets" CHECK("runs"."byte_offset" >= 0 and "runs"."err_offset" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `runs_ordinal` ON `runs` (`session_id`,`ordinal`);--> statement-breakpoint
CREATE INDEX `runs_state` ON `runs` (`state`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`task_id` text NOT NULL,
	`repo_key` text NOT NULL,
	`repo_path` text NOT NULL,
	`device_id` text NOT NULL,
	`title` text NOT NULL,
	`prompt` text NOT NULL,
	`agent` text NOT NULL,
	`model` text,
	`phases` text,
	`test_commands` text,
	`status` text NOT NULL,
	`reason` text,
	`continues_id` text,
	`continues_as` text,
	`superseded_by` text,
	`branch` text,
	`base_ref` text,
	`base_commit` text,
	`worktree` text,
	`tree_id` text,
	`commit` text,
	`approved_tree_id` text,
	`agent_session_id` text,
	`cost_usd` real,
	`budget_usd` real,
	`usage` text,
	`num_turns` integer,
	`diff` text,
	`tests` text,
	`last_seq` integer DEFAULT 0 NOT NULL,
	`pushed_seq` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`started_at` text,
	`finished_at` text,
	`common_dir` text,
	`private_git_dir` text,
	`snapshot_ref` text,
	`generation` integer DEFAULT 0 NOT NULL,
	`last_hash` blob,
	`rev` integer DEFAULT 1 NOT NULL,
	`dirty` text DEFAULT 'edit' NOT NULL,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "sessions_status_known" CHECK("sessions"."status" in ('queued', 'running', 'stopped', 'awaiting_approval', 'approved', 'rejected', 'failed')),
	CONSTRAINT "sessions_last_seq" CHECK("sessions"."last_seq" >= 0 and "sessions"."pushed_seq" between 0 and "sessions"."last_seq")
);
--> statement-breakpoint
CREATE INDEX `sessions_status` ON `sessions` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `sessions_newest` ON `sessions` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_repo` ON `sessions` (`repo_key`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`repo_key` text NOT NULL,
	`title` text NOT NULL,
	`prompt` text NOT NULL,
	`created_by` text NOT NULL,
	`active_session_id` text,
	`created_at` text NOT NULL,
	`closed_at` text,
	`rev` integer DEFAULT 1 NOT NULL,
	`dirty` text DEFAULT 'edit' NOT NULL,
	FOREIGN KEY (`repo_key`) REFERENCES `repos`(`repo_key`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `trash` (
	`session_id` text PRIMARY KEY NOT NULL,
	`ref` text NOT NULL,
	`folder` text NOT NULL,
	`bytes` integer,
	`deleted_at` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `trash_expires` ON `trash` (`expires_at`);