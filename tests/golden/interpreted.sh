#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
# Draws scenes on a virtual GPU twice: with shaders translated to the host's machine code, and with
# interpreted shaders. The pictures must be equal to the bit.
#   interpreted.sh GOLDEN FOLDER SCENE...    GOLDEN: the program; FOLDER: a new folder for the pictures
set -e
golden=$1 folder=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
TERRAZZO_DEBUG= "$golden" "$folder" --update "$@"
TERRAZZO_DEBUG=interpret GOLDEN_OUT="$folder/out" "$golden" "$folder" "$@"
