// Types and documents for every .graphql file of the page, from the schema that the server prints. `npm run generate` writes
// them anew, `npm run check` fails when they are not what this would write.
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: '../schema.graphql',
  // The explorer's examples are read as text.
  documents: ['src/**/*.graphql', '!src/explorer/examples/**'],
  generates: {
    './src/client/generated.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        enumType: 'string-literal',
        useTypeImports: true,
        strictScalars: true,
        scalars: { ID: 'string', DateTime: 'string', Date: 'string', BigInt: 'number', JSON: 'unknown' },
      },
    },
  },
};

export default config;
