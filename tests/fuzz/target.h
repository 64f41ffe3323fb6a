// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a fuzz target is: one function that takes any bytes and returns. README.md says how to add one.
//
// libfuzzer.cpp runs it under libFuzzer (-Dfuzzers=true), replay.cpp on files or on blindly changed ones,
// with any compiler. Both run one input at a time in one thread, and both call set_environment() before the
// first.
#pragma once

#include <cstddef>
#include <cstdint>

/// A target defines it. It leaves nothing behind that changes what the next input does. Always 0: libFuzzer's
/// word for "this input may be kept".
int fuzz_one(const uint8_t* data, size_t size);

/// A target with a form of its own (words, checksums) defines this too, and says `mutator: true` in
/// meson.build. Changes `data`, which has room for `max_size` bytes, and returns its new size.
size_t fuzz_mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed);

namespace fuzz {

/// Changes bytes without knowing what they mean, as fuzz_mutate() does: whoever runs the target has it.
size_t mutate_bytes(uint8_t* data, size_t size, size_t max_size);

/// One thread, no cache folder, no window system, quiet: what is set already stays.
void set_environment();

}  // namespace fuzz
