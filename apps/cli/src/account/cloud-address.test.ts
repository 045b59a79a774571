import { expect, test } from "vitest";
import { cloudOrigin } from "./cloud-address.ts";

test.each([
  ["https://hands.example.org", "https://hands.example.org"],
  ["https://hands.example.org/", "https://hands.example.org"],
  ["HTTP://LOCALHOST:8787", "http://localhost:8787"],
  ["http://[::1]:8787", "http://[::1]:8787"],
])("%s is the address of a cloud", (address, origin) => {
  expect(cloudOrigin(address)).toBe(origin);
});

test.each([
  "hands.example.org",
  "localhost:8787",
  "ftp://hands.example.org",
  "https://me:secret@hands.example.org",
  "https://hands.example.org/app",
  "https://hands.example.org/?token=1",
  "https://hands.example.org/#pair",
  "https://",
  "javascript:alert(1)",
])("%s is not", (address) => {
  expect(cloudOrigin(address)).toBeNull();
});
