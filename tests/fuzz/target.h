// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A fuzz target is one function that accepts any bytes and returns. README.md says how to add one.
//
// libfuzzer.cpp runs it under libFuzzer (-Dfuzzers=true); replay.cpp runs it on files or on files with random
// changes, with any compiler. Both run one input at a time in one thread, and both call set_environment()
// before the first input.
#pragma once

#include <cstddef>
#include <cstdint>

/// Each target defines it. It must leave no state that influences the next input. It always returns 0, which
/// tells libFuzzer that the input may be kept.
int fuzz_one(const uint8_t* data, size_t size);

/// A target whose input has a structure (words, checksums) also defines this, and has `mutator: true` in
/// meson.build. It changes `data`, which has room for `max_size` bytes, and returns the new size.
size_t fuzz_mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed);

namespace fuzz {

/// Changes bytes without knowledge of their meaning, for use in fuzz_mutate(). libfuzzer.cpp and replay.cpp
/// define it.
size_t mutate_bytes(uint8_t* data, size_t size, size_t max_size);

/// One thread, no cache folder, no window system, no output. Variables that are already set stay.
void set_environment();

}  // namespace fuzz
