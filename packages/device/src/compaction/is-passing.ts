import { CloudCallError } from "@codehands/api/cloud-client";

const PASSING: readonly string[] = ["unreachable", "unauthorized", "too_many", "unavailable"];

/** The cloud did not answer, or not now: the same request may go through later. */
export const isPassing = (error: unknown): boolean => error instanceof CloudCallError && PASSING.includes(error.code);
