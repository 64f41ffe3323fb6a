#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# What a terminal shows in programs.tsv: text that stands still.
for n in 1 2 3 4 5 6 7 8; do echo "$n The quick brown fox jumps over the lazy dog"; done
sleep 600
