/** What every store must do, for the tests of whoever writes one. */
export { type OpenStore, type StoreUnderTest, storeContract } from "@codehands/sync/store-contract";
