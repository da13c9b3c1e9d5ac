// A Prettier plugin that lays out JSON with comments. It stands in for Prettier's own, which brings a JavaScript parser
// (see vite.config.ts); GraphiQL uses it for variables and headers only.
import { applyEdits, format } from 'jsonc-parser';

interface Text {
  readonly text: string;
}

export const parsers = {
  jsonc: {
    parse: (text: string): Text => ({ text }),
    astFormat: 'jsonc-text',
    locStart: () => 0,
    locEnd: ({ text }: Text) => text.length,
  },
};

export const printers = {
  'jsonc-text': {
    print({ node }: { readonly node: Text }): string {
      return applyEdits(node.text, format(node.text, undefined, { tabSize: 2, insertSpaces: true, eol: '\n' }));
    },
  },
};
