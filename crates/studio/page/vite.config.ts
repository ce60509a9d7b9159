import { defineConfig } from "vite";

// One page, one script, one style sheet; nothing is inlined because the page is served with a strict content security policy.
export default defineConfig({
  base: "/",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
});
