import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";

export default defineConfig([
  globalIgnores(["**/*.min.js", "course/page/lit/", ".*/", "build/", "artefacts/"]),
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }], // const { left, ...out } = all
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["static/**", "ui/**", "course/**"],
    languageOptions: { globals: globals.browser },
    rules: { "no-underscore-dangle": "error" }, // other people's insides
  },
  {
    files: ["static/chart/drawn.js", "ui/streamlit/**"],
    rules: { "no-underscore-dangle": "off" },
  },
  {
    files: ["course/page/worker.js"],
    languageOptions: { globals: globals.serviceworker },
  },
  { files: ["tests/static/**", "tests/course/**"], languageOptions: { globals: globals.node } },
]);
