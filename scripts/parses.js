// Parses every file that is named, as a module; fails with the place of what is no JavaScript.

import { readFileSync } from "node:fs";
import { argv } from "node:process";
import { SourceTextModule } from "node:vm";

for (const identifier of argv.slice(2))
  new SourceTextModule(readFileSync(identifier, "utf8"), { identifier });
