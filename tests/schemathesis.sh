#!/usr/bin/env bash
# Tests the server's API by a client that only knows its openapi.json: Schemathesis sends good and bad
# requests of every kind and checks each answer. Usage: tests/schemathesis.sh PATH/TO/yinsh-bot
#
# Needs Python 3 with venv and the package index; elsewhere it says so and does nothing.
set -euo pipefail

bot=$(realpath "$1")
folder=$(mktemp -d)
cd "$folder"

cleanup() {
    [[ -z ${server:-} ]] || kill "$server" 2>/dev/null || true
    wait
    cd /
    rm -rf "$folder"
}
trap cleanup EXIT

{ python3 -m venv venv && venv/bin/pip install --quiet 'schemathesis==4.32.5'; } >pip.log 2>&1 || {
    echo "skipped: Schemathesis cannot be installed"
    exit 0
}

serve=("$bot" --set serve.address=127.0.0.1:0 --set serve.store=store.sqlite
    --set serve.requests_per_minute=1000000 --set serve.open_registration=true
    --set serve.wait_max_s=1 --set serve.analysis_ms=1 serve)
token=$("${serve[@]}" --create-bot schemathesis)
export token
opponent=$("${serve[@]}" --create-bot opponent)
"${serve[@]}" >serve.out 2>serve.log &
server=$!
until grep -q listening serve.out; do sleep 0.1; done
url=$(sed -n 's/^listening on //p' serve.out)

# A game to ask about: as TOKEN METHOD PATH [BODY], the first "id" of the answer.
ask() {
    curl --silent --show-error --fail --request "$2" --header @<(echo "Authorization: Bearer $1") \
        --header 'Content-Type: application/json' --data "${4:-}" "$url/api/v1$3" |
        grep -o '"id":"[^"]*"' | head -1 | cut -d'"' -f4
}
me=$(ask "$opponent" GET /me)
clock='{"initial_ms":3600000,"increment_ms":0}'
challenge=$(ask "$token" POST /challenges \
    '{"to":"'"$me"'","variant":"standard","color":"white","rated":false,"clock":'"$clock"'}')
game=$(ask "$opponent" POST "/challenges/$challenge/accept")
export game

cat >schemathesis.toml <<'CONFIG'
[headers]
Authorization = "Bearer ${token}"

# What was there can be over.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "410", "429"]

# Ends what the token stands for, and with it all further requests.
[[operations]]
include-name = "DELETE /api/v1/me/session"
enabled = false

[[operations]]
include-path-regex = "^/api/v1/games/"
parameters = { "path.id" = "${game}" }

# Whether a text is a turn is more than its schema can say.
[[operations]]
include-name = ["PUT /api/v1/games/{id}/turns/{ply}", "GET /api/v1/games/{id}/legal-turns"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "3xx", "400", "403", "404", "409", "422"]

[generation]
deterministic = true
max-examples = 60
CONFIG

venv/bin/schemathesis run "$url/api/v1/openapi.json" --workers 1
