#!/bin/sh
# Lints static/ with what package.json names: ESLint, Prettier, and TypeScript for JSDoc types.
# Where they cannot be installed, it says so and is no failure: readers of the app need no node.
set -eu
cd "$(dirname "$0")/.."

CANNOT="ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|ETIMEDOUT|ERR_SOCKET_TIMEOUT|E(NET|HOST)UNREACH|E50[0-9]|EBADENGINE"

if ! command -v npm >/dev/null; then
    echo "npm is not here: static/ is not linted"
    exit 0
fi
if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
    echo "Installing the tools that lint static/"
    if ! said=$(npm ci --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000 2>&1); then
        echo "$said"
        echo "$said" | grep -Eq "^npm (error|ERR!) code ($CANNOT)$" || exit 1
        echo "npm has no network or node is too old, see above: static/ is not linted"
        exit 0
    fi
fi
npm run --silent lint
