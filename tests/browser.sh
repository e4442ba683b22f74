#!/usr/bin/env bash
# Runs a command with all that the tests in a browser need: Debian's chromium and chromium-driver, and
# the script of axe-core at the path in AXE_CORE. What is missing is installed, which needs root.
# Usage: tests/browser.sh cargo test --test browser -- --ignored
set -euo pipefail

axe_core=axe-core@4.14.1

missing=()
for pair in chromium:chromium chromedriver:chromium-driver npm:npm; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ((${#missing[@]} > 0)); then
    {
        apt-get update
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
    } >"$folder/log" 2>&1 || {
        tail -n 20 "$folder/log" >&2
        echo "${missing[*]} cannot be installed; install them by hand" >&2
        exit 1
    }
fi
(cd "$folder" && npm pack --silent "$axe_core" >/dev/null && tar -xzf axe-core-*.tgz package/axe.min.js)
export AXE_CORE="$folder/package/axe.min.js"
"$@"
