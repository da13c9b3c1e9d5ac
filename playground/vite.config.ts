// How the page is built. What always holds: everything is in dist/, under /playground/, with no source maps
// and no address of another host that the page would load from.
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';

export default defineConfig(({ mode }) => {
  // `npm run dev` talks to a running server; PUMPHOUSE_URL says where it is.
  const server = loadEnv(mode, '.', 'PUMPHOUSE_')['PUMPHOUSE_URL'] ?? 'http://127.0.0.1:8080';
  const jsonc = decodeURIComponent(new URL('./src/explorer/prettier-jsonc.ts', import.meta.url).pathname);

  return {
    base: '/playground/',
    plugins: [react()],
    resolve: {
      // GraphiQL formats variables with Prettier's JavaScript parser, 550 kB for a little JSON.
      alias: { 'prettier/plugins/estree': jsonc, 'prettier/parser-babel': jsonc },
    },
    worker: { format: 'es' },
    build: {
      target: 'es2022',
      sourcemap: false,
      // Monaco is one piece of 2.9 MB; it is loaded with the explorer alone.
      chunkSizeWarningLimit: 3000,
      rollupOptions: {
        onwarn(warning, warn) {
          // "use no memo" in GraphiQL's files is a note to its own compiler.
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
        },
      },
    },
    server: { proxy: { '/graphql': { target: server, ws: true } } },
  };
});
