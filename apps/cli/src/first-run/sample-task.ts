/** The task of a first run: the sample repository has exactly this bug. */
export const SAMPLE_PROMPT = "Fix the failing test. Run npm test to check.";
