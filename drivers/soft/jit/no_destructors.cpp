// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Only in libterrazzo-llvm.so: its static objects are not destroyed when the process ends. The library is
// never unloaded, and a thread may still be compiling then. (Itanium C++ ABI 3.3.6.3: this function registers
// the destructors of static objects; all objects of the library call this definition.)
extern "C" int __cxa_atexit(void (*)(void*), void*, void*);
extern "C" int __cxa_atexit(void (*)(void*), void*, void*) {
    return 0;
}
