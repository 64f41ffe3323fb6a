// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Part of libterrazzo-llvm.so alone: inside of it nothing is destroyed when the process ends. The library is
// never unloaded, and a thread may still be compiling then. (Itanium C++ ABI 3.3.6.3: what registers the
// destructors of static objects; every object of this library calls this definition.)
extern "C" int __cxa_atexit(void (*)(void*), void*, void*);
extern "C" int __cxa_atexit(void (*)(void*), void*, void*) {
    return 0;
}
