/** What can be wrong with a packet. The names are part of the format. */
export const ERROR_CODES = Object.freeze({
  MISSING_FIELD: "MISSING_FIELD",
  UNKNOWN_FIELD: "UNKNOWN_FIELD",
  WRONG_TYPE: "WRONG_TYPE",
  NOT_OBJECT: "NOT_OBJECT",
  NOT_ARRAY: "NOT_ARRAY",
  EMPTY_STRING: "EMPTY_STRING",
  INVALID_INTEGER: "INVALID_INTEGER",
  INVALID_ISO8601: "INVALID_ISO8601",
  INVALID_SHA256: "INVALID_SHA256",
  ID_MISMATCH: "ID_MISMATCH",
  NOT_JSON: "NOT_JSON",
} as const);
export type ErrorCode = keyof typeof ERROR_CODES;

/** One violation. */
export interface ValidationError {
  /** Where: `artifacts[0].path`; empty for the whole. */
  path: string;
  code: ErrorCode;
  /** What is wrong, for a person. */
  message: string;
}

export interface Validation {
  valid: boolean;
  errors: ValidationError[];
}
