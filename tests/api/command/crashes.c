// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A library that ends the program that loads it.
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void crash(void) {
    fputs("this library crashes\n", stderr);
    abort();
}
