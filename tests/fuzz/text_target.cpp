// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The mutator of targets whose input is the texts of programs. It exchanges words, as the seeded program
// fuzz_shaders does, or changes bytes.
#include <cstring>

#include "shader_seeds.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target.h"

size_t fuzz_mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed) {
    // Half of the time bytes are changed.
    if (seed % 2) return fuzz::mutate_bytes(data, size, max_size);
    fuzz::Mutator mutator(seed, fuzz::kShaderSeeds);
    std::string text(reinterpret_cast<const char*>(data), size);
    mutator.mutate(&text);
    const size_t n = text.size() < max_size ? text.size() : max_size;
    std::memcpy(data, text.data(), n);
    return n;
}
