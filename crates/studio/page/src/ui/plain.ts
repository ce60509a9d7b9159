// Texts of others: what turns the direction of writing, moves a cursor or cannot be seen is shown as its code, as in \u{202e}. The same rule as
// `freiraum_scene::plain`, which the terminal and reports use.

const ODD =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** A text as it may be shown; line ends stay, because texts of our own have some. */
export const plain = (text: string): string =>
  text.replace(ODD, (odd) => `\\u{${odd.codePointAt(0)!.toString(16)}}`);
