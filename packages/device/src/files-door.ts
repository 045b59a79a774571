/** For programs: the stores of a device in a folder. They need Node; a browser has stores of its own. */
export { type FileStores, openFileStores } from "./stores/open-file-stores.ts";
