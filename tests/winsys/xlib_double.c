// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A libX11 that counts its one function's calls; its soname is the real one's.
int xlib_double_syncs;

int XSync(void* display, int discard) {
    (void)display, (void)discard;
    return ++xlib_double_syncs;
}
