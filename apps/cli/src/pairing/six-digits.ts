/** Six digits as a person types them, blanks and dashes dropped; null for anything else. */
export function sixDigits(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, "");
  return /^\d{6}$/.test(digits) ? digits : null;
}

/** Six digits as a person reads them: `084 037`. */
export function spacedDigits(digits: string): string {
  return digits.replace(/^(\d{3})(\d{3})$/, "$1 $2");
}
