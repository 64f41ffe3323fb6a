// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A libX11 that counts the calls of its only function. Its soname is that of the real one.
int xlib_double_syncs;

int XSync(void* display, int discard) {
    (void)display, (void)discard;
    return ++xlib_double_syncs;
}
