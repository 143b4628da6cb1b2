#!/bin/sh
# Runs the program and compares what it prints with expected.txt.
cd "$(dirname "$0")" || exit 1
output=$(sluice run %NAME%.spl limit=25) || exit 1
printf '%s\n' "$output" | diff expected.txt - && echo passed
