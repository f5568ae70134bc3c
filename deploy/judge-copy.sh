#!/bin/sh
# The judgement of a restore drill: may this copy take the place of the database? From the root of the checkout, with DATABASE_URL
# at the restored copy, GUILDHALL_ESCROW_WALLET and GUILDHALL_NETWORKS as for the oracle, and the data directory of every node:
#
#   DATABASE_URL=… GUILDHALL_ESCROW_WALLET=0x… GUILDHALL_NETWORKS='[…]' sh deploy/judge-copy.sh /data/api-1 /data/api-2 /data/worker
#
# Reads only. 0: it may. 6: it is older than what a node has seen, or its books do not hold. Anything else: it could not be judged.
set -u
[ $# -gt 0 ] || { echo 'Name the data directory of every node.' >&2; exit 2; }

node scripts/run.mjs packages/cli/src/main.ts ledger compare "$@"
compared=$?
node scripts/run.mjs packages/oracle/src/main.ts
asked=$?

for code in $compared $asked; do [ "$code" -eq 0 ] || [ "$code" -eq 6 ] || exit "$code"; done
if [ $compared -eq 0 ] && [ $asked -eq 0 ]; then
  echo 'This copy may take the place of the database.'
else
  echo 'This copy may NOT take the place of the database.'
  exit 6
fi
