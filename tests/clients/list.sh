#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# The output in a terminal for programs.tsv: text that does not change.
for n in 1 2 3 4 5 6 7 8; do echo "$n The quick brown fox jumps over the lazy dog"; done
sleep 600
