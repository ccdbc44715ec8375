import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const shop = process.env.MARQUEE_SHOP ?? 'http://127.0.0.1:8080';

/** In development the page's configuration comes from the running shop, as in production it comes with the page. */
function shopConfig(): Plugin {
  return {
    name: 'shop-config',
    apply: 'serve',
    async transformIndexHtml(html) {
      const block = /<script type="application\/json" id="marquee-config">[\s\S]*?<\/script>/;
      try {
        const page = await (await fetch(`${shop}/index`)).text();
        const config = block.exec(page)?.[0];
        return config ? html.replace(block, () => config) : html;
      } catch {
        return html; // no shop is running: the app starts and its calls fail visibly
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  plugins: [react(), shopConfig()],
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      [
        '/movie',
        '/Login',
        '/Member',
        '/Film',
        '/Dyorder',
        '/Kaquan',
        '/api/api.php',
        '/newmovie',
        '/uploads',
        '/art',
      ].map((prefix) => [prefix, { target: shop, changeOrigin: true }]),
    ),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['es2022', 'chrome107', 'safari16'],
    // The content security policy knows no inline code and no data: pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/ },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://shop.test/' } },
    setupFiles: ['./test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    css: false,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
