/** The same with fields that can be written: for a store itself, in its own methods. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };
